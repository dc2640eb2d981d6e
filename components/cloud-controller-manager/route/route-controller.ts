import type { Route } from '../../../src/api/cloud-provider.ts';
import { getCondition } from '../../../src/api/conditions.ts';
import type { Node, ObjectReference } from '../../../src/api/kinds/core-v1.ts';
import { nodes } from '../../../src/api/resources.ts';
import { ApiStatusError } from '../../../src/api/status-error.ts';
import { formatTime } from '../../../src/api/time.ts';
import { formatIP, maskIP, parseCidr } from '../../../src/api/validation/ip.ts';
import type { EventRecorder } from '../../../src/client/event-recorder.ts';
import { type ControllerContext, recorderFor, repeat } from '../controller-context.ts';

const NAME = 'route_controller';
const CREATED = { status: 'False', reason: 'RouteCreated', message: 'RouteController created a route' } as const;
const NOT_CREATED = { status: 'True', reason: 'NoRouteCreated', message: 'RouteController failed to create a route' } as const;

/** Keeps a route in the cloud to the pods of each node. k8s.io/cloud-provider controllers/route/route_controller.go RouteController */
export function startRouteController(context: ControllerContext): void {
  const { actor, config, informers, onceSynced } = context;
  if (!config.configureCloudRoutes) return;
  informers.forResource(nodes);
  const controller = new RouteController(context);
  onceSynced(() => void repeat(actor, config.routeReconciliationPeriodMs, () => controller.reconcileNodeRoutes()));
}

class RouteController {
  readonly #context: ControllerContext;
  readonly #recorder: EventRecorder;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#recorder = recorderFor(context, NAME);
  }

  /** route_controller.go reconcileNodeRoutes: what fails is tried again in the next round. */
  async reconcileNodeRoutes(): Promise<void> {
    const { config, informers } = this.#context;
    let routes: readonly Route[];
    try {
      routes = await config.cloud.routes.listRoutes();
    } catch {
      return;
    }
    const all = informers.forResource(nodes).store.list();
    for (const node of all) await this.#reconcile(node, routes);
    for (const route of routes) if (this.#isOurs(route) && !all.some((node) => hasRoute(node, route))) await this.#deleteRoute(route);
  }

  async #reconcile(node: Node, routes: readonly Route[]): Promise<void> {
    const cidrs = node.spec?.podCIDRs ?? [];
    if (cidrs.length === 0) return;
    let allCreated = true;
    for (const cidr of cidrs) {
      const isThere = routes.some((route) => route.destinationCIDR === cidr && route.targetNode === node.metadata.name);
      if (!isThere && !(await this.#createRoute(node, cidr))) allCreated = false;
    }
    await this.#updateNetworkingCondition(node, allCreated);
  }

  async #createRoute(node: Node, destinationCIDR: string): Promise<boolean> {
    const { name = '', uid = '' } = node.metadata;
    try {
      await this.#context.config.cloud.routes.createRoute({ targetNode: name, destinationCIDR });
      return true;
    } catch (error) {
      const reference: ObjectReference = { kind: 'Node', name, uid };
      const text = error instanceof Error ? error.message : String(error);
      this.#recorder.event(
        reference,
        'Warning',
        'FailedToCreateRoute',
        `Could not create route ${uid} ${destinationCIDR} for node ${name}: ${text}`,
      );
      return false;
    }
  }

  async #deleteRoute(route: Route): Promise<void> {
    try {
      await this.#context.config.cloud.routes.deleteRoute(route);
    } catch (error) {
      if (error instanceof TypeError) throw error;
    }
  }

  /** route_controller.go isResponsibleForRoute: those within the addresses of the cluster's pods. */
  #isOurs({ destinationCIDR }: Route): boolean {
    const cluster = parseCidr(this.#context.config.clusterCIDR);
    const route = parseCidr(destinationCIDR);
    return (
      cluster !== undefined &&
      route !== undefined &&
      formatIP(maskIP(route.ip, cluster.prefix)) === formatIP(maskIP(cluster.ip, cluster.prefix))
    );
  }

  /** route_controller.go updateNetworkingCondition */
  async #updateNetworkingCondition(node: Node, created: boolean): Promise<void> {
    const wanted = created ? CREATED : NOT_CREATED;
    if (getCondition(node.status?.conditions, 'NetworkUnavailable')?.status === wanted.status) return;
    const now = formatTime(this.#context.actor.simulation.wallTime);
    const condition = { type: 'NetworkUnavailable', ...wanted, lastHeartbeatTime: now, lastTransitionTime: now };
    const { name = '' } = node.metadata;
    try {
      await this.#context.client
        .resource(nodes)
        .patch({ name }, { status: { conditions: [condition] } }, { type: 'strategic', subresource: 'status' });
    } catch (error) {
      if (!(error instanceof ApiStatusError)) throw error;
    }
  }
}

function hasRoute({ metadata, spec }: Node, { targetNode, destinationCIDR }: Route): boolean {
  return metadata.name === targetNode && (spec?.podCIDRs?.includes(destinationCIDR) ?? false);
}
