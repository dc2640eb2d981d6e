import type { Lease } from '../../src/api/kinds/coordination-v1.ts';
import type { Node } from '../../src/api/kinds/core-v1.ts';
import { leases } from '../../src/api/resources.ts';
import { ApiStatusError, isNotFound } from '../../src/api/status-error.ts';
import { formatMicroTime } from '../../src/api/time.ts';
import type { Client } from '../../src/client/client.ts';
import type { Actor } from '../../src/sim/actor.ts';
import { ActorUnavailable } from '../../src/sim/actor-unavailable.ts';
import type { Random } from '../../src/sim/random.ts';
import { NODE_LEASE_DURATION_SECONDS, NODE_LEASE_RENEW_MS, NODE_STATUS_JITTER } from './constants.ts';

interface LeaseParts {
  readonly actor: Actor;
  readonly client: Client;
  readonly random: Random;
  readonly nodeName: string;
  readonly node: () => Node | undefined;
}

const NAMESPACE = 'kube-node-lease';

/** component-helpers apimachinery/lease Controller: renews the lease by which the node shows that it lives. */
export async function runNodeLease(parts: LeaseParts): Promise<void> {
  const { actor, random } = parts;
  let held: Lease | undefined;
  for (;;) {
    held = await sync(parts, held);
    await actor.sleep(Math.round(random.jitter(NODE_LEASE_RENEW_MS, NODE_STATUS_JITTER)), 'background');
  }
}

async function sync(parts: LeaseParts, held: Lease | undefined): Promise<Lease | undefined> {
  try {
    return held ? await renew(parts, held) : await ensureLease(parts);
  } catch (error) {
    if (!(error instanceof ApiStatusError) && !(error instanceof ActorUnavailable)) throw error;
    return undefined;
  }
}

async function ensureLease(parts: LeaseParts): Promise<Lease> {
  const client = parts.client.resource(leases);
  try {
    const found = await client.get({ namespace: NAMESPACE, name: parts.nodeName });
    return await renew(parts, found);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const object: Lease = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: parts.nodeName, namespace: NAMESPACE, ...ownerOf(parts) },
      spec: specOf(parts),
    };
    return client.create(object, { background: true });
  }
}

function renew(parts: LeaseParts, held: Lease): Promise<Lease> {
  const owner = held.metadata.ownerReferences?.length ? {} : ownerOf(parts);
  const lease: Lease = { ...held, metadata: { ...held.metadata, ...owner }, spec: { ...held.spec, ...specOf(parts) } };
  return parts.client.resource(leases).update(lease, { background: true });
}

function specOf({ actor, nodeName }: LeaseParts): NonNullable<Lease['spec']> {
  return {
    holderIdentity: nodeName,
    leaseDurationSeconds: NODE_LEASE_DURATION_SECONDS,
    renewTime: formatMicroTime(actor.wallTime),
  };
}

function ownerOf({ node, nodeName }: LeaseParts): Pick<Lease['metadata'], 'ownerReferences'> {
  const uid = node()?.metadata.uid;
  return uid ? { ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: nodeName, uid }] } : {};
}
