// Makes a contact hash in the browser, so that the address book stays there: SHA-256 of the canonical e-mail address, in hexadecimal.
// Correct for all addresses whose local part is ASCII; docs/canonical-email.md has the rules for the others, and test vectors.
export async function contactHash(address) {
    const at = address.trim().lastIndexOf("@");
    const local = address.trim().slice(0, at).toLowerCase();
    const domain = new URL("http://" + address.trim().slice(at + 1)).hostname; // lower case, and bücher as xn--bcher-kva
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`${local}@${domain}`));
    return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
