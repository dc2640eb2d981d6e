import { NodePodNetwork } from '../../components/containerd/pod-network.ts';
import type { Containerd } from '../../components/containerd/server.ts';
import type { SocketAddress } from '../api/network.ts';
import type { Actor } from '../sim/actor.ts';
import { ActorUnavailable } from '../sim/actor-unavailable.ts';
import type { Visit, VisitResult } from './service-network.ts';

/** What the pod at an address says. A machine that is down, or goes down meanwhile, says nothing. */
export async function askPod(
  actor: Actor,
  { actor: target, runtime }: Containerd,
  { visit, to, timeoutMs }: { readonly visit: Visit; readonly to: SocketAddress; readonly timeoutMs: number },
): Promise<Omit<VisitResult, 'way'>> {
  const { timeoutMs: _, ...sent } = visit.call ?? { timeoutMs, method: 'GET', headers: { host: visit.hostHeader ?? visit.host } };
  const network = new NodePodNetwork({ caller: actor, target, networkAt: (address) => runtime.networkAt(address) });
  const dial = { host: to.ip, port: to.port };
  const began = actor.simulation.now;
  try {
    const answer = await (visit.path === undefined
      ? network.connect(dial, timeoutMs)
      : network.http({ ...sent, ...dial, path: visit.path }, timeoutMs));
    if (answer === 'connected') return { outcome: 'answered' };
    return typeof answer === 'string' ? { outcome: answer } : { outcome: 'answered', ...answer };
  } catch (error) {
    if (!(error instanceof ActorUnavailable)) throw error;
    await actor.sleep(Math.max(0, began + timeoutMs - actor.simulation.now));
    return { outcome: 'timeout' };
  }
}
