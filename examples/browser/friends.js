// Finds the people of a contact file who use the application.
//
// Why the service never sees an address, or the name of a contact:
// - The file is read here, in the memory of this page. It is not uploaded: this page has no form that sends it.
// - Each address becomes its contact hash here (contacts.js). `discover(hashes)` is the only call that has anything of the file,
//   and it sends hashes alone. Names stay here, and are looked up again by the hash when the answer is shown.
// A hash hides an address that cannot be guessed, and no other: who knows or guesses an address can hash it and compare.
// discovery/private (docs/private-discovery.md) hides more, and needs more code.

import { contactsByHash, decode, readContacts } from "./contacts.js";
import { discover, finishRedirect, isSignedIn, signInByRedirect, signInWithPopup, signOut } from "./service.js";

const element = (id) => document.getElementById(id);
const say = (text) => { element("status").textContent = text; };

function show() {
    element("sign-in").hidden = isSignedIn();
    element("search").hidden = !isSignedIn();
    if (!isSignedIn()) element("results").hidden = true;
}

/** Runs what a person asked for, and says what went wrong. */
function on(id, event, action) {
    element(id).addEventListener(event, () => run(action));
}
async function run(action) {
    try { await action(); } catch (error) { say(message(error)); } finally { show(); }
}
function message(error) {
    if (error.code === "AUTHENTICATION_REQUIRED") return "Please sign in again.";
    if (error.code === "THROTTLED") return `Too many new contacts for now. Try again in ${Math.ceil(error.retryAfter / 60)} minutes.`;
    return error.message;
}

on("popup", "click", async () => {
    say("Sign in in the window that has opened.");
    say(await signInWithPopup() ? "You are signed in." : "The window was closed before you had signed in.");
    show();
    if (isSignedIn()) element("file").focus();
});
on("redirect", "click", signInByRedirect);
on("sign-out", "click", async () => { await signOut(); say("You are signed out."); });

on("file", "change", async () => {
    const [file] = element("file").files;
    if (!file) return;
    say("Reading the file…");
    const contacts = await contactsByHash(readContacts(decode(await file.arrayBuffer())));
    if (!contacts.size) return say("The file has no e-mail addresses. Choose a vCard or CSV file.");
    // Sorted, because the order of the file is nobody's business either.
    const hashes = [...contacts.keys()].sort();
    say(`Searching for ${hashes.length} addresses…`);
    const users = await discover(hashes);
    const items = users.map((user) => {
        const { givenName, familyName } = user.nameComponents;
        const known = new Set(user.contacts.map((index) => contacts.get(hashes[index]).name).filter(Boolean));
        const name = [givenName, familyName].filter(Boolean).join(" ") || "Somebody without a name";
        const item = document.createElement("li");
        item.textContent = known.size ? `${name} (in your contacts: ${[...known].join(", ")})` : name;
        return item;
    });
    element("people").replaceChildren(...items);
    element("results").hidden = false;
    say(users.length === 1 ? "1 friend was found." : `${users.length} friends were found.`);
});

run(finishRedirect);
