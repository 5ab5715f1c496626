"""Typical requests of a user of azure-cosmos, to the endpoint and with the key in the arguments."""
import sys
import urllib.request

from azure.cosmos import CosmosClient, PartitionKey, exceptions

endpoint, key = sys.argv[1:3]
client = CosmosClient(endpoint, key)


def check(what, condition):
    if not condition:
        sys.exit(f"failed: {what}")


database = client.create_database_if_not_exists("shop")
check("the database is listed", [d["id"] for d in client.list_databases()] == ["shop"])
container = database.create_container_if_not_exists(
    "orders", partition_key=PartitionKey(path="/customer"), offer_throughput=20000)

for i in range(40):
    container.upsert_item({"id": f"o{i}", "customer": f"c{i % 4}", "total": i})
check("a read", container.read_item("o7", "c3")["total"] == 7)
check("a replace", container.replace_item("o7", {"id": "o7", "customer": "c3", "total": 70})["total"] == 70)
patched = container.patch_item("o7", "c3", [{"op": "incr", "path": "/total", "value": 7}])
check("a patch", patched["total"] == 77)

try:
    container.create_item({"id": "o7", "customer": "c3"})
    check("a conflict", False)
except exceptions.CosmosResourceExistsError as error:
    check("a conflict is 409", error.status_code == 409)
try:
    container.read_item("absent", "c3")
    check("an absent item", False)
except exceptions.CosmosResourceNotFoundError as error:
    check("an absent item is 404", error.status_code == 404)


def query(text, **options):
    return list(container.query_items(text, **options))


cross = {"enable_cross_partition_query": True}
check("a query by key", len(query("SELECT * FROM c", partition_key="c1")) == 10)
check("a query over all keys", len(query("SELECT * FROM c", max_item_count=7, **cross)) == 40)
check("a count", query("SELECT VALUE COUNT(1) FROM c", **cross) == [40])
check("an order", query("SELECT TOP 2 VALUE c.total FROM c ORDER BY c.total DESC", **cross) == [77, 39])
parameters = [{"name": "@n", "value": 5}]
check("parameters", query("SELECT VALUE c.id FROM c WHERE c.total = @n", parameters=parameters, **cross) == ["o5"])

container.read(populate_partition_key_range_statistics=True, populate_quota_info=True)
found = container.read(populate_partition_key_range_statistics=True)["statistics"]
check("statistics", sum(r["documentCount"] for r in found) == 40)
check("the largest keys", sorted(k["partitionKey"] for r in found for k in r["partitionKeys"]) == [[f"c{i}"] for i in range(4)])

tagged = database.create_container("tagged", partition_key=PartitionKey(path="/k"), offer_throughput=20000, indexing_policy={
    "compositeIndexes": [[{"path": "/n"}, {"path": "/id", "order": "descending"}]]})
for i in range(30):
    tagged.create_item({"id": f"t{i:02}", "k": f"k{i % 7}", "n": i % 3, "tags": ["x", "y"][: i % 3]})


def tagged_query(text, **options):
    return list(tagged.query_items(text, **options))


grouped = tagged_query("SELECT c.n, COUNT(1) AS items FROM c GROUP BY c.n", partition_key="k1")
check("groups of one key", sorted((g["n"], g["items"]) for g in grouped) == [(0, 1), (1, 2), (2, 2)])
try:
    tagged_query("SELECT c.n, COUNT(1) AS items FROM c GROUP BY c.n", **cross)
    check("groups of several ranges, which this client cannot combine", False)
except exceptions.CosmosHttpResponseError as error:
    check("the features of GROUP BY are named", "None GroupBy NonValueAggregate" in str(error))
check("a join", len(tagged_query("SELECT c.id, t FROM c JOIN t IN c.tags", **cross)) == 30)
check("a filter by a subquery", len(tagged_query("SELECT * FROM c WHERE EXISTS(SELECT VALUE t FROM t IN c.tags WHERE t = 'y')", **cross)) == 10)
check("different values", sorted(tagged_query("SELECT DISTINCT VALUE c.n FROM c", **cross)) == [0, 1, 2])
ordered = tagged_query("SELECT c.n, c.id FROM c ORDER BY c.n, c.id DESC", max_item_count=4, **cross)
check("an order of two properties", [(o["n"], o["id"]) for o in ordered] == sorted(
    ((i % 3, f"t{i:02}") for i in range(30)), key=lambda pair: (pair[0], -int(pair[1][1:]))))
try:
    tagged_query("SELECT * FROM c ORDER BY c.id, c.n", **cross)
    check("an order without a composite index", False)
except exceptions.CosmosHttpResponseError as error:
    check("an order without a composite index is 400", error.status_code == 400)
some = tagged_query("SELECT VALUE SUM(c.n) FROM c WHERE c.k IN ('k0', 'k1', 'k2')", **cross)
check("a sum over some keys", some == [sum(i % 3 for i in range(30) if i % 7 < 3)])

batch = [("upsert", ({"id": "b1", "customer": "c9"},)), ("upsert", ({"id": "b2", "customer": "c9"},))]
check("a batch", [r["statusCode"] for r in container.execute_item_batch(batch, "c9")] == [201, 201])
try:
    container.execute_item_batch([("create", ({"id": "b3", "customer": "c9"},)), ("create", ({"id": "b1", "customer": "c9"},))], "c9")
    check("a batch that fails", False)
except exceptions.CosmosBatchOperationError as error:
    check("a batch that fails names the culprit", error.error_index == 1)
check("a batch that fails leaves nothing", query("SELECT * FROM c WHERE c.id = 'b3'", partition_key="c9") == [])

check("the change feed", len(list(container.query_items_change_feed(start_time="Beginning"))) == 42)
check("the throughput", container.get_throughput().offer_throughput == 20000)
container.replace_throughput(22000)
check("a changed throughput", container.get_throughput().offer_throughput == 22000)
container.delete_item("o7", "c3")
check("all items but one", len(list(container.read_all_items())) == 41)
for i in range(3):
    container.create_item({"id": f"d{i}", "customer": "c8", "total": 1})
for item in query("SELECT * FROM c WHERE c.customer = 'c8'", partition_key="c8"):
    check("a read of an item that was queried", container.read_item(item, "c8")["id"] == item["id"])
    check("a replace of it", container.replace_item(item, {**item, "total": 2})["total"] == 2)
    check("a patch of it", container.patch_item(item, "c8", [{"op": "incr", "path": "/total", "value": 1}])["total"] == 3)
    container.delete_item(item, partition_key="c8")
check("items that were queried are deleted", query("SELECT * FROM c", partition_key="c8") == [])
batch = [("create", ({"id": "r", "customer": "c8"},)), ("read", ("r",)), ("delete", ("r",))]
check("a batch that reads what it deletes", container.execute_item_batch(batch, "c8")[1]["resourceBody"]["id"] == "r")
user = database.create_user({"id": "ada"})
check("the user is listed", [u["id"] for u in database.list_users()] == ["ada"])
permission = user.create_permission(
    {"id": "orders", "permissionMode": "All", "resource": container.container_link, "resourcePartitionKey": ["c1"]})
check("the permission is listed", [p["id"] for p in user.list_permissions()] == ["orders"])
limited = CosmosClient(endpoint, {container.container_link: permission.properties["_token"]})
orders = limited.get_database_client("shop").get_container_client("orders")
check("a read with a resource token", orders.read_item("o1", "c1")["total"] == 1)
orders.upsert_item({"id": "o1", "customer": "c1", "total": 11})
check("a query with a resource token", len(list(orders.query_items("SELECT * FROM c", partition_key="c1"))) == 10)
try:
    orders.read_item("o2", "c2")
    check("a read of another key", False)
except exceptions.CosmosHttpResponseError as error:
    check("a read of another key is 403", error.status_code == 403)
permission = user.replace_permission("orders", {"id": "orders", "permissionMode": "Read", "resource": container.container_link})
limited = CosmosClient(endpoint, {container.container_link: permission.properties["_token"]})
orders = limited.get_database_client("shop").get_container_client("orders")
check("a query over all keys with a token", len(list(orders.query_items("SELECT VALUE c.id FROM c", **cross))) == 41)
try:
    orders.upsert_item({"id": "o1", "customer": "c1"})
    check("a write with the mode Read", False)
except exceptions.CosmosHttpResponseError as error:
    check("a write with the mode Read is 403", error.status_code == 403)
user.delete_permission("orders")
database.delete_user("ada")
feed = database.create_container(
    "feed", PartitionKey(path="/pk", version=2), default_ttl=-1, offer_throughput=12000, change_feed_policy={"retentionDuration": 10})


def changes(**how):
    found = list(feed.query_items_change_feed(mode="AllVersionsAndDeletes", **how))
    return found, feed.client_connection.last_response_headers["etag"]


found, start = changes()
check("all versions begin now", found == [])
for i in range(6):
    feed.create_item({"id": "1", "pk": f"k{i}", "n": 1, "ttl": 100 if i == 5 else -1})
    feed.upsert_item({"id": "1", "pk": f"k{i}", "n": 2, "ttl": 100 if i == 5 else -1})
found, middle = changes(continuation=start)
kinds = [change["metadata"]["operationType"] for change in found]
check("all versions", sorted(kinds) == ["create"] * 6 + ["replace"] * 6)
control = urllib.request.Request(f"{endpoint}_control/clock", data=b'{"advanceMs": 101000}', method="POST")
urllib.request.urlopen(control).close()
for i in range(5):
    feed.delete_item("1", f"k{i}")
found, _ = changes(continuation=middle)
check("deletes", sorted(change["metadata"]["partitionKey"]["pk"] for change in found) == [f"k{i}" for i in range(6)])
check("the end of a TTL", [c["metadata"]["partitionKey"]["pk"] for c in found if c["metadata"]["timeToLiveExpired"]] == ["k5"])
check("deletes have no current", all(change["current"] == {} for change in found))
check("all versions and deletes", len(changes(continuation=start)[0]) == 18)
try:
    list(container.query_items_change_feed(mode="AllVersionsAndDeletes"))
    check("all versions of a container without a retention", False)
except exceptions.CosmosHttpResponseError as error:
    check("all versions must be enabled", error.status_code == 400 and "must be enabled" in str(error))
vectors = database.create_container(
    "vectors", partition_key=PartitionKey(path="/pk"), offer_throughput=20000,
    vector_embedding_policy={"vectorEmbeddings": [
        {"path": "/v", "dataType": "float32", "dimensions": 2, "distanceFunction": "euclidean"}]},
    indexing_policy={"vectorIndexes": [{"path": "/v", "type": "flat"}]})
for i in range(30):
    vectors.create_item({"id": f"v{i}", "pk": f"k{i % 5}", "v": [i, 30 - i]})
near = list(vectors.query_items(
    "SELECT TOP 3 c.id, VectorDistance(c.v, [10, 20]) AS score FROM c ORDER BY VectorDistance(c.v, [10, 20])",
    enable_cross_partition_query=True))
check("the most similar items of all ranges", near[0]["id"] == "v10" and {n["id"] for n in near[1:]} == {"v9", "v11"})
client.delete_database("shop")

print("all checks passed")
