// Signs a person in, and calls the service. docs/web-services.md describes the requests.

import { apiToken, container, environment, service } from "./settings.js";

const origin = new URL(service).origin;
const returnURL = location.origin + location.pathname; // one of the return URLs of the API token

// The web auth token stands for the signed-in person. It is kept until the tab is closed.
const session = sessionStorage;
export const isSignedIn = () => session.getItem("token") !== null;

/** An error that the service answered with. `code` is its serverErrorCode. */
export class ServiceError extends Error {
    constructor(status, answer) {
        super(answer.reason);
        Object.assign(this, { status, code: answer.serverErrorCode, redirectURL: answer.redirectURL, retryAfter: answer.retryAfter });
    }
}

async function call(path, body) {
    const url = new URL(`${service}/${path}`);
    // In the query, and not in headers, so that the browser need not ask for permission first.
    url.searchParams.set("ckAPIToken", apiToken);
    if (isSignedIn()) url.searchParams.set("ckWebAuthToken", session.getItem("token"));
    const answer = await fetch(url, { method: "POST", body: JSON.stringify(body), referrerPolicy: "no-referrer" });
    // The service replaces the token now and then.
    const renewed = answer.headers.get("X-Apple-CloudKit-Web-Auth-Token");
    if (renewed) session.setItem("token", renewed);
    const json = await answer.json();
    if (answer.ok) return json;
    if (answer.status === 421) session.removeItem("token");
    throw new ServiceError(answer.status, json);
}

const callKinfolk = (operation, body) => call(`kinfolk/1/${container}/${environment}/${operation}`, body);

// ---- Signing in

/** The address of the sign-in. The service gives it to everybody who is not signed in. */
async function signInURL() {
    try {
        await call(`database/1/${container}/${environment}/public/users/current`, {});
    } catch (error) {
        if (error.redirectURL && new URL(error.redirectURL).origin === origin) return error.redirectURL;
        throw error;
    }
    throw new Error("You are signed in already.");
}

/** Signs in in a popup, which sends the token to this page. Call it in the handler of a click: otherwise browsers block the popup. */
export async function signInWithPopup() {
    const popup = window.open("", "", "popup,width=480,height=720");
    if (!popup) throw new Error("The browser has blocked the window. Sign in on this page instead.");
    try { popup.location.replace(await signInURL()); } catch (error) { popup.close(); throw error; }
    const token = await new Promise((resolve) => {
        const receive = (event) => {
            // Any page can send messages here. Only this window, and only while it shows the service, can send a token.
            if (event.source !== popup || event.origin !== origin) return;
            finish(event.data.ckWebAuthToken);
        };
        const timer = setInterval(() => { if (popup.closed) finish(null); }, 500);
        const finish = (value) => {
            removeEventListener("message", receive);
            clearInterval(timer);
            resolve(value);
        };
        addEventListener("message", receive);
    });
    if (token) session.setItem("token", token);
    return isSignedIn();
}

const base64URL = (bytes) => btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");
const randomText = () => base64URL(crypto.getRandomValues(new Uint8Array(32)));

/** Leaves this page for the sign-in, which comes back with a code. PKCE (RFC 7636): nobody else can use the code. */
export async function signInByRedirect() {
    const [verifier, state] = [randomText(), randomText()];
    const challenge = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier)));
    const url = new URL(await signInURL());
    const items = { redirect_uri: returnURL, code_challenge: base64URL(challenge), code_challenge_method: "S256", state };
    for (const [name, value] of Object.entries(items)) url.searchParams.set(name, value);
    session.setItem("sign-in", JSON.stringify({ verifier, state }));
    location.assign(url);
}

/** Redeems the code with which a sign-in came back to this page. */
export async function finishRedirect() {
    const items = new URLSearchParams(location.search);
    if (!items.has("code")) return;
    history.replaceState(null, "", returnURL); // a code does not belong into the history
    const begun = JSON.parse(session.getItem("sign-in"));
    session.removeItem("sign-in");
    // Somebody else may have made the link, to sign this person in as somebody else.
    if (!begun || items.get("state") !== begun.state) throw new Error("This sign-in was not begun here. Please sign in again.");
    const body = { code: items.get("code"), code_verifier: begun.verifier, redirect_uri: returnURL };
    session.setItem("token", (await callKinfolk("token", body)).ckWebAuthToken);
}

export async function signOut() {
    try { await callKinfolk("sign-out", {}); } finally { session.clear(); }
}

// ---- Discovery

/** The people who have one of the hashes and let themselves be found. */
export async function discover(hashes) {
    // With the state of the last answer, contacts that were sent before cost no permits.
    const answer = await callKinfolk("discovery/hashes", { hashes, syncState: session.getItem("syncState") ?? "" });
    session.setItem("syncState", answer.syncState);
    return answer.users;
}
