// Reads a contact file and makes contact hashes. Nothing in this file sends anything.

/** The contacts of a vCard or CSV file: objects with a `name`, which may be empty, and `addresses` as they are written. */
export function readContacts(text) {
    return /^\s*BEGIN:VCARD/i.test(text) ? readVCards(text) : readTable(text);
}

/** The text of a contact file. Most are UTF-8; old exports are Windows-1252. */
export function decode(bytes) {
    try {
        return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch {
        return new TextDecoder("windows-1252").decode(bytes);
    }
}

// ---- vCard (RFC 6350, RFC 2426). A card that is the value of AGENT in another card is not read.

function readVCards(text) {
    const contacts = [];
    let contact;
    // A line that begins with a space continues the line before it.
    for (const line of text.replace(/\r?\n[ \t]/g, "").split(/\r?\n/)) {
        // [group.]NAME[;parameters]:value. A parameter in quotation marks may have a colon.
        const found = /^(?:[\w-]+\.)?([\w-]+)(?:;(?:"[^"]*"|[^":])*)?:(.*)$/.exec(line);
        if (!found) continue;
        const value = found[2].trim().replace(/\\([,;:\\])/g, "$1");
        switch (found[1].toUpperCase()) {
            case "BEGIN": contacts.push(contact = { name: "", addresses: [] }); break;
            case "FN": if (contact) contact.name = value; break;
            case "EMAIL": contact?.addresses.push(value.replace(/^mailto:/i, "")); break;
        }
    }
    return contacts;
}

// ---- CSV (RFC 4180), as address books export it: the first row names the columns

function readTable(text) {
    const [header = [], ...rows] = splitTable(text.replace(/^\uFEFF/, ""));
    const columns = (pattern) => header.flatMap((name, index) => pattern.test(name) ? [index] : []);
    const [whole, given, family] = [/^(full |display )?name$/i, /given|first/i, /family|last|surname/i].map(columns);
    return rows.map((row) => {
        const name = (indices) => indices.map((index) => row[index]).find(Boolean) ?? "";
        return {
            name: name(whole) || [name(given), name(family)].filter(Boolean).join(" "),
            // Some programs write several addresses into one cell, with ::: between them.
            addresses: row.flatMap((cell) => cell.split(":::")).filter((cell) => /[@＠]/.test(cell)),
        };
    });
}

function splitTable(text) {
    const separator = /^[^\n,]*;/.test(text) ? ";" : ",";
    const rows = [];
    let row = [], cell = "", isQuoted = false;
    const endCell = () => { row.push(cell.trim()); cell = ""; };
    const endRow = () => { endCell(); if (row.some(Boolean)) rows.push(row); row = []; };
    for (let index = 0; index < text.length; index += 1) {
        const character = text[index];
        if (isQuoted) {
            if (character !== '"') cell += character;
            else if (text[index + 1] === '"') { cell += '"'; index += 1; }
            else isQuoted = false;
        } else if (character === '"') isQuoted = true;
        else if (character === separator) endCell();
        else if (character === "\n") endRow();
        else cell += character;
    }
    endRow();
    return rows;
}

// ---- The contact hash (docs/canonical-email.md)

/**
 * The canonical form of an address, or null if it is no e-mail address.
 *
 * All valid addresses get the form that the service uses. Of the addresses that the service refuses, some get a form here. That does
 * no harm: nobody can have them.
 */
export function canonicalAddress(text) {
    const parts = /^(.+)[@＠](.+)$/su.exec(text.replace(/^[\s\u0085]+|[\s\u0085]+$/gu, ""));
    if (!parts) return null;
    // Full and half width first, then case, then normalization.
    const local = parts[1].replace(/[\u3000\uFF01-\uFFEE]/gu, (each) => each.normalize("NFKC")).toLowerCase().normalize("NFC");
    if (!/^(?!\.|.*\.\.|.*\.$)[\w!#$%&'*+/=?^`{|}~.\-\u0080-\u{10FFFF}]+$/u.test(local)) return null;
    const domain = canonicalDomain(parts[2]);
    if (!domain || byteCount(local) > 64 || byteCount(`${local}@${domain}`) > 254) return null;
    return `${local}@${domain}`;
}

/** The browser knows how to write a domain in ASCII (UTS #46): bücher.example is xn--bcher-kva.example. */
function canonicalDomain(text) {
    if (!/^[\w.\-\u0080-\u{10FFFF}]+$/u.test(text)) return null;
    let name;
    try { name = new URL(`http://${text}`).hostname; } catch { return null; }
    const labels = name.split(".");
    const isValid = labels.length > 1 && labels.every((label) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(label));
    return isValid && !/^\d+$/.test(labels.at(-1)) ? name : null;
}

const encoder = new TextEncoder();
const byteCount = (text) => encoder.encode(text).length;

/** The contact hash of a canonical address in base64. Browsers have Web Crypto on https and on 127.0.0.1 only. */
export async function contactHash(address) {
    const digest = await crypto.subtle.digest("SHA-256", encoder.encode(address));
    return btoa(String.fromCharCode(...new Uint8Array(digest)));
}

/** The contacts by the hash of each of their addresses. */
export async function contactsByHash(contacts) {
    const found = new Map();
    for (const contact of contacts) {
        for (const address of contact.addresses) {
            const canonical = canonicalAddress(address);
            if (canonical) found.set(await contactHash(canonical), contact);
        }
    }
    return found;
}
