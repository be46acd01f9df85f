"""Signs embed tokens in the backend of a host page (pip install pyjwt)."""
import os
import time

import jwt


def embed_token(visitor: dict, kind: str, path: str) -> str:
    """Returns the token of one signed-in visitor for one document."""
    now = int(time.time())
    claims = {
        "iss": "https://shop.example.com",
        "aud": "analytics",
        "sub": visitor["id"],
        "iat": now,
        "exp": now + 3600,
        "owner": "host",  # the user whose roles it reads with, named in service.embed.jwt.owners
        "resource": {"kind": kind, "path": path},
        "attributes": {"regions": visitor["regions"]},
    }
    return jwt.encode(claims, os.environ["EMBED_JWT_SECRET"], algorithm="HS256")


if __name__ == "__main__":
    print(embed_token({"id": "u-17", "regions": ["South"]}, "query", "shared/sales.service"))
