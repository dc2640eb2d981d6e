import { expect, it } from 'vitest';
import { createCluster } from '../../cluster/cluster.ts';

it('keeps the namespace of a context from one command to the next', async () => {
  const cluster = await createCluster({ nodes: 0 });
  const run = async (line: string): Promise<string[]> => {
    const { stdout, stderr } = await cluster.kubectl(line.split(' '));
    return [...stdout, ...stderr];
  };
  expect(await run('create namespace team')).toEqual(['namespace/team created']);
  expect(await run('config set-context --current --namespace=team')).toEqual(['Context "bottleship" modified.']);
  expect(await run('create configmap a')).toEqual(['configmap/a created']);
  expect(await run('get configmap a -n team -o name')).toEqual(['configmap/a']);
  expect(await run('config set-context other --namespace=default')).toEqual(['Context "other" created.']);
  expect(await run('--context other get configmap a')).toEqual(['Error from server (NotFound): configmaps "a" not found']);
  expect(await run('config use-context other')).toEqual(['Switched to context "other".']);
  expect(await run('config get-contexts')).toEqual([
    'CURRENT   NAME         CLUSTER      AUTHINFO           NAMESPACE',
    '          bottleship   bottleship   kubernetes-admin   team',
    '*         other        bottleship   kubernetes-admin   default',
  ]);
  expect(await run('config use-context nope')).toEqual(['error: no context exists with the name: "nope"']);
  expect(await run('config delete-context other')).toEqual([
    'deleted context other from the kubeconfig',
    'warning: this removed your active context, use "kubectl config use-context" to select a different one',
  ]);
  expect(await run('config current-context')).toEqual(['error: current-context is not set']);
});
