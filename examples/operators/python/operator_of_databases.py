"""An operator that runs databases: a Service and a StatefulSet for each Database.

    kopf run --all-namespaces operator_of_databases.py
"""

import datetime
import os
import threading

import kopf
from kubernetes import client, config
from kubernetes.client.rest import ApiException

GROUP, VERSION, PLURAL = "example.com", "v1", "databases"
PORT = 5432
IMAGES = {"mysql": "mysql", "postgresql": "postgres"}
OF_DATABASE = {"app.kubernetes.io/name": "database"}
# Handlers run in threads: two that looked at different moments must not write in the wrong order.
one_at_a_time = threading.Lock()


class MemoryOfSpecs(kopf.DiffBaseStorage):
    """What was handled last is kept in memory, so nothing is written into Databases: what a restart does again changes nothing."""

    def __init__(self):
        super().__init__()
        self.known = {}

    def fetch(self, *, body):
        return self.known.get(body["metadata"]["uid"])

    def store(self, *, body, patch, essence):
        self.known[body["metadata"]["uid"]] = essence


@kopf.on.startup()
def configure(settings: kopf.OperatorSettings, **_):
    config.load_kube_config()
    settings.persistence.finalizer = "example.com/finalizer"
    settings.persistence.diffbase_storage = MemoryOfSpecs()
    settings.posting.reporting_component = "database-operator"
    settings.peering.standalone = True


@kopf.on.resume(GROUP, VERSION, PLURAL)
@kopf.on.create(GROUP, VERSION, PLURAL)
@kopf.on.update(GROUP, VERSION, PLURAL)
def changed(namespace, name, **_):
    crash("finalizer-added")
    reconcile(namespace, name)


@kopf.on.event("", "v1", "services", labels=OF_DATABASE)
@kopf.on.event("apps", "v1", "statefulsets", labels=OF_DATABASE)
def owned_changed(namespace, meta, **_):
    for owner in meta.get("ownerReferences", []):
        if owner["kind"] == "Database" and owner.get("controller"):
            reconcile(namespace, owner["name"])


@kopf.on.delete(GROUP, VERSION, PLURAL)
def deleted(body, namespace, name, status, **_):
    """kopf takes the finalizer away when this has returned."""
    if status.get("phase") != "Deleting":
        tell(body, "Finalizing", f"Cleaning up {name}")
        patch = {"status": {"phase": "Deleting"}}
        client.CustomObjectsApi().patch_namespaced_custom_object_status(GROUP, VERSION, namespace, PLURAL, name, patch)
    crash("before-finalizer-removed")


def reconcile(namespace, name):
    """Makes what is there what the Database asks for. It gets a name, never what happened."""
    with one_at_a_time:
        database = found(client.CustomObjectsApi().get_namespaced_custom_object, GROUP, VERSION, namespace, PLURAL, name)
        # Without the finalizer kopf has not taken it on yet.
        if database is None or "deletionTimestamp" in database["metadata"] or "finalizers" not in database["metadata"]:
            return
        ensure_service(database)
        update_status(database, ensure_stateful_set(database))


def ensure_service(database):
    core, metadata = client.CoreV1Api(), metadata_of_owned(database)
    if found(core.read_namespaced_service, metadata["name"], metadata["namespace"]):
        return
    ports = [{"name": "db", "port": PORT, "targetPort": PORT}]
    spec = {"clusterIP": "None", "selector": metadata["labels"], "ports": ports}
    if made(core.create_namespaced_service, metadata["namespace"], {"metadata": metadata, "spec": spec}):
        crash("service-created")
        tell(database, "ServiceCreated", f"Created Service {metadata['name']}")


def ensure_stateful_set(database):
    apps, metadata = client.AppsV1Api(), metadata_of_owned(database)
    name, namespace, labels = metadata["name"], metadata["namespace"], metadata["labels"]
    replicas = database["spec"].get("replicas", 1)
    image = f"{IMAGES[database['spec']['engine']]}:{database['spec']['version']}"
    present = found(apps.read_namespaced_stateful_set, name, namespace)
    if present is None:
        containers = [{"name": "db", "image": image}]
        spec = {
            "replicas": replicas,
            "serviceName": name,
            "selector": {"matchLabels": labels},
            "template": {"metadata": {"labels": labels}, "spec": {"containers": containers}},
        }
        created = made(apps.create_namespaced_stateful_set, namespace, {"metadata": metadata, "spec": spec})
        if created:
            crash("statefulset-created")
            tell(database, "StatefulSetCreated", f"Created StatefulSet {name}")
        return created
    container = present.spec.template.spec.containers[0]
    if (present.spec.replicas, container.image) == (replicas, image):
        return present
    present.spec.replicas, container.image = replicas, image
    updated = made(apps.replace_namespaced_stateful_set, name, namespace, present)
    if updated:
        tell(database, "StatefulSetUpdated", f"Updated StatefulSet {name}")
    return updated


def update_status(database, stateful_set):
    """Writes the status when it differs. Each change of the StatefulSet leads here again."""
    if stateful_set is None:
        return
    metadata, before = database["metadata"], database.get("status", {})
    ready_replicas = stateful_set.status.ready_replicas or 0
    wanted = stateful_set.spec.replicas
    ready = ready_replicas == wanted and stateful_set.status.observed_generation == stateful_set.metadata.generation
    status = {
        "observedGeneration": metadata["generation"],
        "endpoint": f"{metadata['name']}.{metadata['namespace']}.svc:{PORT}",
        "phase": "Ready" if ready else "Updating" if before.get("phase") in ("Ready", "Updating") else "Creating",
        "conditions": [condition_of(database, ready, ready_replicas)],
    }
    if ready_replicas:
        status["readyReplicas"] = ready_replicas
    if status == before:
        return
    replace = client.CustomObjectsApi().replace_namespaced_custom_object_status
    written = made(replace, GROUP, VERSION, metadata["namespace"], PLURAL, metadata["name"], {**database, "status": status})
    if written and ready and before.get("phase") != "Ready":
        tell(database, "Ready", "Database is ready")


def condition_of(database, ready, ready_replicas):
    condition = {
        "type": "Ready",
        "status": "True" if ready else "False",
        "reason": "AllReplicasReady" if ready else "Progressing",
        "message": f"{ready_replicas} replicas are ready" if ready else "waiting for replicas",
        "observedGeneration": database["metadata"]["generation"],
    }
    before = next(iter(database.get("status", {}).get("conditions", [])), {})
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    same = before.get("status") == condition["status"]
    return {**condition, "lastTransitionTime": before["lastTransitionTime"] if same else now}


def metadata_of_owned(database):
    name = database["metadata"]["name"]
    owner = {
        "apiVersion": f"{GROUP}/{VERSION}",
        "kind": "Database",
        "name": name,
        "uid": database["metadata"]["uid"],
        "controller": True,
        "blockOwnerDeletion": True,
    }
    labels = {**OF_DATABASE, "app.kubernetes.io/instance": name}
    return {"name": name, "namespace": database["metadata"]["namespace"], "labels": labels, "ownerReferences": [owner]}


def tell(database, reason, message):
    kopf.event(database, type="Normal", reason=reason, message=message)


def found(read, *args):
    """What is read, or None when it is not there."""
    try:
        return read(*args)
    except ApiException as error:
        if error.status != 404:
            raise
        return None


def made(write, *args):
    """What is written, or None when somebody else was first: the change that they made leads to another look."""
    try:
        return write(*args)
    except ApiException as error:
        if error.status not in (404, 409):
            raise
        return None


def crash(point):
    """Ends the process at the point that CRASH_AT names; tests try what a restart finds."""
    if os.environ.get("CRASH_AT") == point:
        os._exit(1)
