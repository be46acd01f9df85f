"""Asks the demo for the net sales of each region, and repairs a wrong name from the answer."""

import os
import requests

SERVICE = os.environ.get("SERVICE_URL", "http://localhost:8080")
api = requests.Session()
api.headers["Authorization"] = f"Bearer {os.environ['API_KEY']}"


def query(body):
    """Returns the answer to a query. A wrong query has `error`, `field` and `available` instead of records."""
    return api.post(f"{SERVICE}/rest/service/api/ai/semantic/query", json=body, timeout=60).json()


body = {
    "connection": "demo",
    "model": "shop",
    "rows": [{"dataset": "stores", "field": "regoin"}],  # a wrong name, on purpose
    "values": [{"metric": "net_sales"}],
    "sorts": [{"metric": "net_sales", "direction": "DESC"}],
}
answer = query(body)
if answer.get("error") == "VALIDATION_ERROR":
    print(answer["field"], "->", answer["available"][0])  # rows[0].field -> region
    body["rows"][0]["field"] = answer["available"][0]
    answer = query(body)

for record in answer["records"]:
    print(record["stores.region"], record["net_sales"]["value"], record["net_sales"]["formatted"])
