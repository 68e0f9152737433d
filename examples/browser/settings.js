// Where the service is, and which application this page belongs to. `kinfolk token create … --origin ORIGIN --return-url URL
// --allow-discovery` makes the API token. ORIGIN is that of this page, and URL its whole address. The token is no secret.
export const service = "http://127.0.0.1:8080";
export const container = "com.example.notes";
export const environment = "production";
export const apiToken = "";
