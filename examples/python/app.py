"""A server that signs members in with Flask and Authlib. Its sessions are in memory.

It doesn't refresh: after an hour the member signs in again, which takes one redirect and no consent.
"""

import os
import secrets
from urllib.parse import urlsplit

import requests
from authlib.integrations.base_client import OAuthError
from authlib.integrations.flask_client import OAuth
from flask import Flask, redirect, render_template_string, request, session

ISSUER = os.environ["ISSUER"]
ORIGIN = os.environ.get("ORIGIN", "http://127.0.0.1:4000")

app = Flask(__name__)
app.secret_key = secrets.token_bytes(32)
app.config.update(SESSION_COOKIE_SAMESITE="Lax", SESSION_COOKIE_SECURE=ORIGIN.startswith("https:"))

portico = OAuth(app).register(
    "portico",
    client_id=os.environ["CLIENT_ID"],
    client_secret=os.environ["CLIENT_SECRET"],
    # Authlib reads the addresses and the keys from here.
    server_metadata_url=f"{ISSUER}/.well-known/openid-configuration",
    api_base_url=f"{ISSUER}/api/open/v1/",
    # PKCE. Authlib creates state and nonce by itself, and checks them.
    client_kwargs={"scope": "openid profile:read posts:read", "code_challenge_method": "S256"},
)

# Flask's cookie is signed and not encrypted, so the tokens stay here, by a name that the cookie has.
tokens = {}

PAGE = """<!doctype html>
<html lang="en">
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width">
  <title>Sample application</title>
  <h1>Sample application</h1>
  {% if message %}<p role="alert">{{ message }}</p>{% endif %}
  {% if profile %}
    <p>You are <strong>{{ profile.username }}</strong>, member {{ profile.id }}.</p>
    <form method="post" action="/sign-out"><button>Sign out</button></form>
    <h2>Your {{ posts.totalElements }} posts</h2>
    <ul>{% for post in posts["items"] %}<li><a href="{{ post.url }}">{{ post.title }}</a></li>{% endfor %}</ul>
  {% else %}
    <p><a href="/sign-in">Sign in with the community</a></p>
  {% endif %}
</html>"""


@app.get("/")
def home():
    token = tokens.get(session.get("sign_in"))
    if token is None:
        return render_template_string(PAGE)
    answers = [portico.get(path, token=token) for path in ("me", "me/posts")]
    if any(answer.status_code == 401 for answer in answers):
        # The token has expired, or the member has removed the access.
        tokens.pop(session.pop("sign_in"), None)
        return signed_out("Please sign in again.", 401)
    for answer in answers:
        if answer.status_code != 200:
            return signed_out(answer.json()["detail"], 400)
    profile, posts = (answer.json() for answer in answers)
    return render_template_string(PAGE, profile=profile, posts=posts)


@app.get("/sign-in")
def sign_in():
    return portico.authorize_redirect(f"{ORIGIN}/callback")


@app.get("/callback")
def callback():
    # RFC 9207. Authlib doesn't check it.
    if request.args.get("iss") != ISSUER:
        return signed_out("This answer comes from another server.", 400)
    try:
        # Checks the state, exchanges the code, and verifies the id_token with its nonce.
        token = portico.authorize_access_token()
    except OAuthError as error:
        return signed_out(error.description or error.error, 400)
    session.clear()
    session["sign_in"] = secrets.token_urlsafe()
    tokens[session["sign_in"]] = token
    return redirect("/", 303)


@app.post("/sign-out")
def sign_out():
    token = tokens.pop(session.pop("sign_in", None), None)
    if token is not None:
        # Without a refresh token, the member allowed access for one sign-in only.
        form = {"token": token.get("refresh_token", token["access_token"])}
        address = portico.load_server_metadata()["revocation_endpoint"]
        requests.post(address, form, auth=(portico.client_id, portico.client_secret), timeout=10)
    return redirect("/", 303)


def signed_out(message, status):
    return render_template_string(PAGE, message=message), status


if __name__ == "__main__":
    address = urlsplit(ORIGIN)
    app.run(address.hostname, address.port)
