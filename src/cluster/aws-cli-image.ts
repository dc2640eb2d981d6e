import { runAwsCli } from '../../components/aws-cli/aws-cli.ts';
import { EXIT_SIGKILL, EXIT_SIGTERM } from '../../components/containerd/constants.ts';
import type { ImageDefinition } from '../../components/containerd/image-definition.ts';
import type { Process, ProcessContext, Signal } from '../../components/containerd/process.ts';
import { type Outbound, OutboundError } from '../api/outbound.ts';
import { awsOutbound } from './aws.ts';
import type { Cluster } from './cluster.ts';

/** The image of the AWS CLI. Its program reaches AWS when the cluster runs there. */
export function awsCliImage(cluster: Cluster): ImageDefinition {
  return {
    name: 'amazon/aws-cli',
    size: 120_000_000,
    known: true,
    entrypoint: ['/usr/local/bin/aws'],
    programs: ['/usr/local/bin/aws'],
    start: (context) => new AwsCliProcess(cluster, context),
  };
}

class AwsCliProcess implements Process {
  readonly #context: ProcessContext;
  #ended = false;

  constructor(cluster: Cluster, context: ProcessContext) {
    this.#context = context;
    context.actor.schedule(0, () => this.#run(cluster));
  }

  signal(signal: Signal): void {
    if (signal === 'SIGKILL') this.#exit(EXIT_SIGKILL);
    else if (signal === 'SIGTERM' || signal === 'SIGINT') this.#exit(EXIT_SIGTERM);
  }

  async #run({ aws }: Cluster): Promise<void> {
    const { actor, argv, env, files, write } = this.#context;
    const readFile = (path: string): string | undefined => {
      const read = files.read(path);
      return 'text' in read ? read.text : undefined;
    };
    const send: Outbound = aws
      ? awsOutbound(aws, actor)
      : ({ url }) => Promise.reject(new OutboundError(`dial tcp: lookup ${new URL(url).hostname}: no such host`));
    const { code, stdout = '', stderr = '' } = await runAwsCli({ argv, env: env(), readFile, send, wallTime: actor.simulation.wallTime });
    if (this.#ended) return;
    if (stdout) write('stdout', stdout);
    if (stderr) write('stderr', stderr);
    this.#exit(code);
  }

  #exit(code: number): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#context.exit(code);
  }
}
