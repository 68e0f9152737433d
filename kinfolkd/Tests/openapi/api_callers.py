"""Those who send requests: nobody, applications, people, servers, and some with credentials that are worth nothing."""

from __future__ import annotations

import base64
import hashlib
import html
import random
import re
import time
import urllib.parse
from dataclasses import dataclass, field

import requests
from api_wire import Request
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from programs import PATIENCE
from world import CONTAINER, SCHEMA, World

ORIGIN = "https://app.example.com"
RETURN_URL = "https://app.example.com/done"
OTHER_CONTAINER = "com.example.other"


@dataclass
class Caller:
    kind: str
    environment: str = "production"
    query: list[tuple[str, str]] = field(default_factory=list)
    headers: list[tuple[str, str]] = field(default_factory=list)
    key: ec.EllipticCurvePrivateKey | None = None
    key_id: str = ""
    record_name: str = ""
    address: str = ""

    @property
    def is_accepted(self) -> bool:
        """Whether the credentials are worth something at the paths of its environment."""
        return self.kind in ("application", "person", "developer", "server")

    def sign(self, request: Request) -> None:
        """Adds the headers of a server."""
        assert self.key
        date = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        digest = base64.b64encode(hashlib.sha256(request.body or b"").digest()).decode()
        path = request.target.split("?")[0]
        signature = self.key.sign(f"{date}:{digest}:{path}".encode(), ec.ECDSA(hashes.SHA256()))
        request.headers += [
            ("X-Apple-CloudKit-Request-KeyID", self.key_id),
            ("X-Apple-CloudKit-Request-ISO8601Date", date),
            ("X-Apple-CloudKit-Request-SignatureV1", base64.b64encode(signature).decode()),
        ]


class Callers:
    """All callers of one store. People who have signed out or erased their accounts are replaced."""

    PEOPLE = 6

    def __init__(self, world: World, chance: random.Random) -> None:
        self.world = world
        self.chance = chance
        self.number = 0
        self.tokens = {"production": world.make_token("fuzz", "--allow-discovery", "--origin", ORIGIN, "--return-url", RETURN_URL)}
        self.tokens["development"] = world.make_token(
            "fuzz", "--allow-discovery", "--origin", ORIGIN, "--return-url", RETURN_URL, "--environment", "development"
        )
        schema = world.folder / "development.ckdb"
        schema.write_text(SCHEMA)
        world.kinfolk("schema", "apply", CONTAINER, str(schema), "--environment", "development")
        world.kinfolk("container", "create", OTHER_CONTAINER)
        self.foreign_token = world.kinfolk("token", "create", OTHER_CONTAINER, "fuzz").strip()
        world.kinfolk("container", "directory", "--mode", "both", CONTAINER)
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.key_id = self.add_key(self.key)
        self.people: list[Caller] = []
        self.secrets: list[str] = []
        self.devices: dict[str, Caller] = {}
        self.developer = Caller("developer")

    def add_key(self, key: ec.EllipticCurvePrivateKey) -> str:
        path = self.world.folder / "public.pem"
        path.write_bytes(key.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo))
        return self.world.kinfolk("server-key", "add", CONTAINER, str(path)).split()[-1]

    def sign_everybody_in(self) -> None:
        self.people = [self.person() for _ in range(Callers.PEOPLE)]
        self.developer = self.person("development")

    def redirect_url(self, environment: str = "production") -> str:
        asked = requests.get(
            self.world.url("users/current", environment=environment), params={"ckAPIToken": self.tokens[environment]}, timeout=PATIENCE
        )
        return asked.json()["redirectURL"]

    def new_address(self) -> str:
        self.number += 1
        return f"person-{self.number}@example.com"

    def other_device(self, person: Caller) -> Caller:
        """Another session of a person. What the person does in one, the other is told."""
        if self.devices.get(person.address) is None:
            self.devices = {person.address: self.person(address=person.address)}
        return self.devices[person.address]

    def person(self, environment: str = "production", address: str = "") -> Caller:
        """Somebody new who signs in over the pages, and whom others can find."""
        address = address or self.new_address()
        url = self.redirect_url(environment)
        token = self.sign_in(address, url, redirect_uri=RETURN_URL)["ckWebAuthToken"]
        api = self.tokens[environment]
        query = {"ckAPIToken": api, "ckWebAuthToken": token}
        name = requests.get(self.world.url("users/current", environment=environment), params=query, timeout=PATIENCE).json()["userRecordName"]
        self.secrets += [name, token, urllib.parse.quote(token, safe="")]
        kind = "person" if environment == "production" else "developer"
        return Caller(kind, environment, list(query.items()), record_name=name, address=address)

    def code(self) -> tuple[str, str]:
        """The code of a sign-in with PKCE, and its verifier."""
        verifier = f"{self.chance.getrandbits(250):064x}"
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
        address = self.new_address()
        url = self.redirect_url()
        query = {"redirect_uri": RETURN_URL, "code_challenge": challenge, "code_challenge_method": "S256", "state": "x y"}
        return self.sign_in(address, url, **query)["code"], verifier

    def sign_in(self, address: str, url: str, **query: str) -> dict[str, str]:
        """Goes through the pages, and returns what the return URL gets."""
        browser = requests.Session()
        page = browser.get(url, params=query, timeout=PATIENCE)
        page = World.send_form(browser, url, page, step="address", email=address)
        page = World.send_form(browser, url, page, step="code", code=self.world.code_for(address))
        if 'value="names"' in page.text:
            page = World.send_form(browser, url, page, step="names", given="Ada", family="Example")
        if wording := re.search(r'name="wording" value="([^"]*)"', page.text):
            page = World.send_form(browser, url, page, step="consent", discoverability="granted", wording=html.unescape(wording[1]))
        found = re.search(r'content="0; url=([^"]*)"', page.text)
        assert found, page.text
        return dict(urllib.parse.parse_qsl(urllib.parse.urlparse(html.unescape(found[1])).query))

    def replace(self, person: Caller) -> None:
        if person.kind == "developer":
            self.developer = self.person("development")
        else:
            self.people[self.people.index(person)] = self.person()

    # ---- Choosing one

    def any(self, kind: str) -> Caller:
        api = self.tokens["production"]
        match kind:
            case "nobody":
                return Caller("nobody")
            case "application":
                return Caller("application", query=[("ckAPIToken", api)])
            case "person":
                # Half of the requests are of the one who has the most.
                return self.people[0] if self.chance.random() < 0.5 else self.chance.choice(self.people)
            case "developer":
                return self.developer
            case "foreigner":
                # Somebody of another environment, at the paths of this one.
                return Caller("foreigner", query=self.developer.query)
            case "server":
                return Caller("server", key=self.key, key_id=self.key_id)
            case _:
                return self.worthless()

    def worthless(self) -> Caller:
        """Credentials that are wrong in one way."""
        api, web = self.tokens["production"], dict(self.chance.choice(self.people).query)["ckWebAuthToken"]
        stranger = ec.derive_private_key(self.chance.getrandbits(200) + 1, ec.SECP256R1())
        choices = [
            Caller("worthless", query=[("ckAPIToken", self.foreign_token), ("ckWebAuthToken", web)]),
            Caller("worthless", query=[("ckAPIToken", api[:-1]), ("ckWebAuthToken", web)]),
            Caller("worthless", query=[("ckAPIToken", api.upper() + "x")]),
            Caller("worthless", query=[("ckAPIToken", ""), ("ckWebAuthToken", web)]),
            Caller("worthless", query=[("ckWebAuthToken", web)]),
            Caller("worthless", query=[("ckAPIToken", "%ff%fe"), ("ckWebAuthToken", "%")]),
            Caller("worthless", query=[("ckAPIToken", "0" * 64)]),
            Caller("worthless", query=[("ckAPIToken", "A" * 8_000)]),
            Caller("worthless", headers=[("X-Apple-CloudKit-Web-Auth-Token", web)]),
            Caller("worthless", headers=[("X-Apple-CloudKit-API-Token", "\u00e9" * 40)]),
            Caller("worthless", key=stranger, key_id=self.key_id),
            Caller("worthless", key=self.key, key_id="0" * 64),
            Caller("worthless", key=self.key, key_id="x" * 5_000),
            Caller("worthless", headers=[("X-Apple-CloudKit-Request-KeyID", self.key_id)]),
            Caller(
                "worthless",
                headers=[
                    ("X-Apple-CloudKit-Request-KeyID", self.key_id),
                    ("X-Apple-CloudKit-Request-ISO8601Date", "9999999999999-01-01T00:00:00Z"),
                    ("X-Apple-CloudKit-Request-SignatureV1", "MAYCAQECAQE="),
                ],
            ),
        ]
        return self.chance.choice(choices)

    def expired(self) -> Caller:
        """A person with a token that looks right and is not: a sign-in is needed."""
        return Caller("expired", query=[("ckAPIToken", self.tokens["production"]), ("ckWebAuthToken", base64.b64encode(b"x" * 48).decode())])
