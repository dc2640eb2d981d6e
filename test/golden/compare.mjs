// Plays recorded cases against an API server and compares the answers with the recorded ones (see README.md beside this file).
// runCase(case, { fetch, server, clock, audit }) → run;  normalize(run, case) → answers;  compareCase(case, answers, { relaxed }) → differences.


const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)/g;
const ADDRESS = /\b(10\.\d{1,3}|172\.(1[6-9]|2\d|3[01])|192\.168)\.\d{1,3}\.\d{1,3}(\.\d{1,3})?\b/g;

/** Runs the steps of `testCase` and returns them with `response`, `events` and `history` filled in, not yet normalized. */
export async function runCase(testCase, { fetch: send_, server, clock, audit, namespace, log = () => {} }) {
  const fetch = Object.assign((...args) => send_(...args), { clock });
  const vars = { ns: namespace, ...testCase.vars };
  const watches = new Map();
  const auditStart = audit ? audit.mark() : 0;
  const call = (request) => send(fetch, server, fill(request, vars));
  const needsNamespace = testCase.namespace !== false;
  if (needsNamespace) {
    const created = await call({ method: 'POST', path: '/api/v1/namespaces', body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: '{ns}', labels: testCase.namespaceLabels } } });
    if (created.status !== 201) throw new Error(`cannot create namespace: ${created.status} ${JSON.stringify(created.body)}`);
    // A real cluster makes the default service account a moment later; pods need it.
    await until(fetch, server, fill({ path: '/api/v1/namespaces/{ns}/serviceaccounts/default' }, vars), { status: 200 }, 20_000);
  }
  const steps = [];
  const started = clock.wallTime();
  try {
    for (const step of testCase.steps) {
      log(step.do ?? JSON.stringify(step).slice(0, 80));
      const done = { ...step };
      if (step.sleep !== undefined) await clock.sleep(step.sleep);
      else if (step.until) done.reached = await until(fetch, server, fill(step.until, vars), fill(step.until.match, vars), step.until.timeoutMs ?? 60_000);
      else if (step.watch) watches.set(step.watch, await openWatch(fetch, server, fill(step.request, vars)));
      else if (step.collect) done.events = await watches.get(step.collect).take(step.take ?? {});
      else if (step.request) {
        done.response = await call(step.request);
        for (const [name, path] of Object.entries(step.capture ?? {})) vars[name] = String(get(done.response.body, fill(path, vars)) ?? '');
        if (step.pick) done.response.body = Object.fromEntries(step.pick.map((path) => fill(path, vars)).map((path) => [path, get(done.response.body, path)]));
      }
      steps.push(done);
    }
    let history;
    if (testCase.history) {
      if (!audit) throw new Error('this case needs the audit log');
      await clock.sleep(testCase.history.settleMs ?? 3000);
      history = readHistory(audit.since(auditStart), vars.ns, started, fill(testCase.history, vars));
    }
    return { vars, steps, history };
  } finally {
    for (const watch of watches.values()) watch.close();
    for (const request of testCase.cleanup ?? []) await call(request);
    if (needsNamespace) await call({ method: 'DELETE', path: '/api/v1/namespaces/{ns}' });
  }
}

async function send(fetch, server, { method = 'GET', path, query, headers = {}, body }) {
  const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(server + path + (query ? `?${new URLSearchParams(query)}` : ''), {
    method, body: text, headers: { accept: 'application/json', ...(text === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
  });
  const raw = await response.text();
  const warnings = response.headers.get('warning');
  return { status: response.status, ...(warnings ? { warnings: warnings.split(/,\s*(?=299 )/) } : {}), body: parse(raw) };
}

/** Opens a watch and keeps its events until they are taken. */
async function openWatch(fetch, server, { path, query, headers }) {
  const stop = new AbortController();
  const response = await fetch(`${server}${path}?${new URLSearchParams({ watch: '1', ...query })}`, { headers: { accept: 'application/json', ...headers }, signal: stop.signal });
  const events = [];
  if (response.status !== 200) events.push({ status: response.status, body: parse(await response.text()) });
  else (async () => {
    let rest = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body) {
      rest += decoder.decode(chunk, { stream: true });
      const lines = rest.split('\n');
      rest = lines.pop();
      for (const line of lines) if (line.trim()) events.push(parse(line));
    }
    events.push({ type: 'END' });
  })().catch(() => {});
  return {
    /** Waits until `count` events are there (at most `timeoutMs`), then `quietMs` more to catch extra ones, and takes them all. */
    async take({ count = 0, timeoutMs = 10_000, quietMs = 500 }) {
      const { clock } = fetch;
      for (const end = clock.now() + timeoutMs; events.length < count && clock.now() < end; ) await clock.sleep(20);
      await clock.sleep(quietMs);
      return events.splice(0);
    },
    close: () => stop.abort(),
  };
}

async function until(fetch, server, request, match, timeoutMs) {
  const { clock } = fetch;
  for (const end = clock.now() + timeoutMs; ; ) {
    const { status, body } = await send(fetch, server, request);
    if (matches({ status, body }, match)) return true;
    if (clock.now() > end) return false;
    await clock.sleep(100);
  }
}

/** `match` may ask for a status, and for values at paths of the body: {path, equals | exists | length | atLeast}. */
function matches({ status, body }, match = {}) {
  if (match.status !== undefined && status !== match.status) return false;
  if (match.status === undefined && status >= 400) return false;
  return [].concat(match.path ? [match] : match.all ?? []).every(({ path, equals, exists, length, atLeast }) => {
    const value = get(body, path);
    if (equals !== undefined) return JSON.stringify(value) === JSON.stringify(equals);
    if (length !== undefined) return (value ?? []).length === length;
    if (atLeast !== undefined) return value >= atLeast;
    return (value !== undefined) === (exists ?? true);
  });
}

/** Reads a path such as status.conditions[type=Ready].status or items[0].metadata.name */
export function get(value, path) {
  for (const part of path.match(/(?<=\[)'[^']*'(?=\])|[^.[\]]+(?:\.[^.[\]=]+)*=[^\]]*|[^.[\]]+/g) ?? []) {
    if (value === undefined || value === null) return undefined;
    if (part[0] === "'") { value = value[part.slice(1, -1)]; continue; }
    const filter = /^([^=]+)=(.*)$/.exec(part);
    value = filter && Array.isArray(value) ? value.find((item) => String(get(item, filter[1])) === filter[2]) : value[part];
  }
  return value;
}

function fill(value, vars) {
  return JSON.parse(JSON.stringify(value ?? null).replace(/\{([a-zA-Z]\w*)\}/g, (all, name) => (name in vars ? JSON.stringify(vars[name]).slice(1, -1) : all))) ?? undefined;
}

function parse(text) {
  try { return JSON.parse(text); } catch { return text; }
}

// ---------------------------------------------------------------------------------------------------------------------
// History: every write to the case's namespace (and to cluster objects it names), from the audit log, in order.

function readHistory(audit, namespace, started, { ignore = [], clusterScoped = [], eventsAbout }) {
  const previous = new Map();
  const writes = [];
  const events = [];
  const lines = audit.filter((line) => line.objectRef && line.stage === 'ResponseComplete');
  // Requests end in an order that may differ from the order of their writes: per object, the resourceVersion decides.
  const version = (line) => Number(line.responseObject?.metadata?.uid && line.responseObject.metadata.resourceVersion) || 0;
  const objectOf = (line) => `${line.objectRef.resource}/${line.objectRef.namespace}/${line.objectRef.name ?? line.responseObject?.metadata?.name}`;
  lines.sort((a, b) => a.stageTimestamp.localeCompare(b.stageTimestamp));
  for (const group of Object.values(groupBy([...lines.keys()], (i) => objectOf(lines[i])))) {
    const slots = group.filter((i) => version(lines[i]));
    const sorted = slots.map((i) => lines[i]).sort((a, b) => version(a) - version(b));
    slots.forEach((slot, i) => { lines[slot] = sorted[i]; });
  }
  for (const line of lines) {
    const ref = line.objectRef;
    const object = line.responseObject ?? {};
    const inNamespace = ref.namespace === namespace;
    const wanted = [ref.resource, `${ref.resource}/${ref.name ?? object.metadata?.name}`];
    if (!inNamespace && !clusterScoped.some((entry) => wanted.includes(entry))) continue;
    if (ref.resource === 'namespaces' || ignore.includes(ref.resource) || ref.name === 'kube-root-ca.crt' || (ref.resource === 'serviceaccounts' && ref.name === 'default')) continue;
    if (ref.resource === 'events') {
      const about = object.involvedObject ?? object.regarding;
      if (about && (!eventsAbout || eventsAbout.includes(about.kind))) events.push({ by: component(line.user.username), about: `${about.kind}/${about.name}`, type: object.type, reason: object.reason, message: object.message ?? object.note, count: object.count });
      continue;
    }
    // A create that failed would have had another name on each try: it counts under its prefix, and tries in a row as one.
    const prefix = line.verb === 'create' && !object.metadata?.name && line.requestObject?.metadata?.generateName;
    const name = prefix || (ref.name ?? object.metadata?.name ?? object.details?.name);
    const key = `${ref.resource}/${name}${object.kind === 'Scale' ? '/scale' : ''}`;
    const entry = {
      t: Math.max(0, Date.parse(line.stageTimestamp) - started), by: component(line.user.username),
      verb: line.verb, object: `${ref.resource}/${name}${ref.subresource ? `/${ref.subresource}` : ''}`, code: line.responseStatus?.code,
    };
    if (object.metadata?.uid && object.kind !== 'Status') {
      const before = line.verb === 'create' && !ref.subresource ? undefined : previous.get(key); // a new object may have an old name
      // The garbage collector patches by metadata and is answered with metadata alone.
      const after = object.kind === 'PartialObjectMetadata' && before ? { ...before, metadata: object.metadata } : object;
      entry.change = before ? diff(stable(before), stable(after)) : stable(after);
      if (before && entry.change === undefined) continue;
      previous.set(key, after);
      if (line.verb === 'delete' && !object.metadata.deletionTimestamp) { delete entry.change; previous.delete(key); }
    } else if (entry.code === 409 || (line.verb === 'delete' && entry.code === 404)) continue; // lost a race
    else if (object.kind === 'Status' && entry.code >= 400) entry.message = object.message;
    else if (line.verb === 'delete') previous.delete(key);
    if (prefix && writes.some((other) => other.object === entry.object && other.code === entry.code)) continue;
    writes.push(entry);
  }
  return { writes, events };
}

function groupBy(items, keyOf) {
  const out = {};
  for (const item of items) (out[keyOf(item)] ??= []).push(item);
  return out;
}

function component(username) {
  return username.replace(/^system:serviceaccount:kube-system:/, '').replace(/^system:(node|kube|serviceaccount):?/, (all) => all.replace(/^system:/, '')).replace(/^system:/, '');
}

/** The object without what changes on every write, without times of which only chance decides whether they changed, and with sets in one order. */
function stable(object) {
  const { managedFields, resourceVersion, ...metadata } = object.metadata ?? {};
  const copy = JSON.parse(JSON.stringify({ ...object, metadata }), (key, value) => (key === 'lastUpdateTime' || key === 'lastPhaseTransitionTime' || key === 'endpoints.kubernetes.io/last-change-trigger-time' ? '<time>' : value));
  if (metadata.annotations?.['endpoints.kubernetes.io/last-change-trigger-time']) {
    delete copy.metadata.annotations['endpoints.kubernetes.io/last-change-trigger-time'];
    if (!Object.keys(copy.metadata.annotations).length) delete copy.metadata.annotations;
  }
  const by = (...paths) => (a, b) => (paths.map((path) => get(a, path) ?? '').join() < paths.map((path) => get(b, path) ?? '').join() ? -1 : 1);
  copy.endpoints?.sort(by('targetRef.name', 'addresses'));
  if (object.kind === 'EndpointSlice') copy.ports?.sort(by('name', 'port'));
  for (const subset of copy.subsets ?? []) for (const list of [subset.addresses, subset.notReadyAddresses]) list?.sort(by('targetRef.name', 'ip'));
  return copy;
}

/** A merge-patch-like difference; null marks a removed field; undefined means equal. */
export function diff(before, after) {
  if (JSON.stringify(before) === JSON.stringify(after)) return undefined;
  if (!isMap(before) || !isMap(after)) return after ?? null;
  const out = {};
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const change = diff(before[key], after[key]);
    if (change !== undefined) out[key] = change;
  }
  return Object.keys(out).length ? out : undefined;
}

const isMap = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

// ---------------------------------------------------------------------------------------------------------------------
// Normalizing

/** Makes two runs of a case comparable. `run` is what runCase returned. */
export function normalize(run, { managedFields = false, nodes = 'any' } = {}) {
  // In a case about a history, answers along the way serve the next step only, unless the step says `"compare": true`.
  const keep = ({ response, compare, only, pick }) => (!response || (!only && (!run.history || compare || pick)) ? response : Object.fromEntries((only ?? ['status']).map((key) => [key, response[key]])));
  const answers = { steps: run.steps.map((step) => ({ response: keep(step), events: step.events, reached: step.reached })), history: run.history };
  const seen = { steps: run.steps.map(({ response, events }) => ({ response, events })), history: run.history };
  const versions = [...collect(seen, (key, value, parent) => key === 'resourceVersion' && parent?.uid && /^\d+$/.test(value))].sort((a, b) => a - b);
  const names = new Map();
  visit(seen, (key, value, parent) => {
    if (key === 'generateName' && parent?.name?.startsWith(value) && /^[a-z0-9]{5}$/.test(parent.name.slice(value.length))) remember(names, parent.name, `${value}~`);
    if ((key === 'currentRevision' || key === 'updateRevision' || key === 'pod-template-hash' || key === 'controller-revision-hash' || key === 'controller.kubernetes.io/hash') && typeof value === 'string') remember(names, value.replace(/^.*-/, ''), '<hash:', '>');
  });
  // history entries list generated names even where the object itself is not shown
  const replacements = [...names].sort((a, b) => b[0].length - a[0].length);
  const uids = new Map();
  const addresses = new Map();
  const text = (value) => {
    let out = value.replaceAll(run.vars.ns, '{ns}');
    for (const [from, to] of replacements) out = out.replaceAll(from, to);
    return out.replace(UUID, (uid) => `<uid:${number(uids, uid)}>`).replace(TIME, '<time>')
      .replace(ADDRESS, (address) => `<ip:${number(addresses, address)}>`)
      .replace(/-----BEGIN [A-Z ]+-----[^]*?-----END [A-Z ]+-----\n?/g, '<pem>');
  };
  const anywhere = (value) => JSON.parse(JSON.stringify(value).replace(/kube-api-access-[a-z0-9]{5}/g, 'kube-api-access-~')
    .replace(/\b\d{13}-\d{1,5}-(?=[\w-]+\.)/g, '<identity>-').replace(/\bveth[0-9a-f]{8}\b/g, '<veth>').replace(/\b([0-9a-f]{2}:){5}[0-9a-f]{2}\b/g, '<mac>').replace(/(INFRA_CONTAINER_ID=|sandbox \\")[0-9a-f]{64}/g, '$1<container>')
    .replace(/\bcsi-[0-9a-f]{64}/g, 'csi-<hash>').replace(/(kubernetes\.io\/csi\/[\w.-]+\/)[0-9a-f]{64}/g, '$1<hash>').replace(/-(29|3\d)\d{6}\b/g, '-<minute>')
    .replace(/(containerd|docker|cri-o):\/\/[0-9a-f]{64}/g, '<container>').replace(/([\w./:-]+@)?sha256:[0-9a-f]{64}/g, '<image>')
    .replace(/\bnode:n\d+/g, nodes === 'any' ? 'node' : '$&').replace(/"nodeName":"n\d+"/g, nodes === 'any' ? '"nodeName":"<node>"' : '$&').replace(/ to n\d+"/g, nodes === 'any' ? ' to <node>"' : '$&'));
  const walk = (value, key, parent) => {
    if (typeof value === 'string') {
      if (key === 'resourceVersion') return parent?.uid && versions.includes(value) ? `<rv:${versions.indexOf(value) + 1}>` : value === '' ? '' : '<rv>';
      if (key === 'continue' && value) return '<continue>';
      if (key === 'clusterIP' && value !== 'None' && value) return '<ip>';
      if (key === 'message' || key === 'note') { value = value.replace(/(?<![\d.])\b\d{2,}\b(?!\.\d)/g, (n) => (versions.includes(n) ? `<rv:${versions.indexOf(n) + 1}>` : n)); }
      return text(value);
    }
    if (typeof value === 'number') return key === 'nodePort' || key === 'healthCheckNodePort' ? '<port>' : key === 't' ? Math.round(value / 100) * 100 : value;
    if (Array.isArray(value)) return value.map((item) => walk(item, key, parent));
    if (isMap(value)) {
      const out = {};
      for (const [k, v] of Object.entries(value)) {
        if (v === undefined || (k === 'managedFields' && !managedFields)) continue;
        out[text(k)] = walk(v, k, value);
      }
      return out;
    }
    return value;
  };
  const out = walk(answers);
  // In a history, which of several uids or addresses it is would depend on the order of unrelated writes.
  if (out.history) out.history = JSON.parse(JSON.stringify(out.history).replace(/<(uid|ip):\d+>/g, '<$1>'));
  return anywhere(out);
}

function remember(map, value, prefix, suffix = '') { if (!map.has(value)) map.set(value, `${prefix}${[...map.values()].filter((v) => v.startsWith(prefix)).length + 1}${suffix}`); }
function number(map, value) { if (!map.has(value)) map.set(value, map.size + 1); return map.get(value); }
function visit(value, f, key, parent) {
  if (Array.isArray(value)) for (const item of value) visit(item, f, key, parent);
  else if (isMap(value)) for (const [k, v] of Object.entries(value)) { f(k, v, value); visit(v, f, k, value); }
}
function collect(value, test) { const out = new Set(); visit(value, (k, v, parent) => { if (test(k, v, parent)) out.add(v); }); return out; }

// ---------------------------------------------------------------------------------------------------------------------
// Comparing

/** Returns the differences between the recorded case and a normalized run, as lines; an empty list means equal. */
export function compareCase(testCase, answers, { relaxed = false } = {}) {
  const problems = [];
  testCase.steps.forEach((step, i) => {
    const label = `step ${i + 1}${step.do ? ` (${step.do})` : ''}`;
    const answer = answers.steps[i] ?? {};
    if (step.response) {
      if (step.response.status !== answer.response?.status) problems.push(`${label}: status ${answer.response?.status}, recorded ${step.response.status}: ${JSON.stringify(answer.response?.body)?.slice(0, 300)}`);
      else problems.push(...differences(loose(step.response), loose(answer.response), `${label}: `));
    }
    if (step.events) problems.push(...differences(step.events, answer.events, `${label}: events`));
    if (step.reached !== undefined && step.reached !== answer.reached) problems.push(`${label}: condition ${answer.reached ? '' : 'not '}reached`);
  });
  if (testCase.answers?.history) problems.push(...compareHistory(testCase.answers.history, answers.history, { relaxed }));
  return problems;
}

/**
 * What an answer says, without what only the Go implementation could print: the order of errors found in a map, dumps of internal structs,
 * the whole object quoted back, and the documentation of table columns.
 */
function loose({ body, warnings, ...response }) {
  const out = { ...response, body, ...(warnings ? { warnings: [...warnings].sort() } : {}) };
  if (!isMap(body)) return out;
  const short = (text) => text?.replace(/Invalid value: "\{[^]*\}"(?=: )/, 'Invalid value: "{}"').replace(/Invalid value: [[{][^]*?[\]}](?=: )/g, 'Invalid value: {}');
  if (body.kind === 'Status') {
    const [, prefix = '', list = body.message ?? ''] = /^((?:[\w.-]+ )?"[^"]*" is invalid: )?\[?([^]*?)\]?$/.exec(short(body.message) ?? '') ?? [];
    out.body = { ...body, message: prefix + list.split(/, (?=[\w.[\]()"]+: )/).sort().join(', ') };
    if (body.details?.causes) out.body.details = { ...body.details, causes: body.details.causes.map((cause) => ({ ...cause, message: short(cause.message) })).sort((x, y) => (canonical(x) < canonical(y) ? -1 : 1)) };
  }
  if (body.kind === 'Table' && body.columnDefinitions) out.body = { ...body, columnDefinitions: body.columnDefinitions.map(({ description, ...column }) => column) };
  return out;
}

export function differences(expected, actual, path = '') {
  if (JSON.stringify(expected) === JSON.stringify(actual)) return [];
  if (Array.isArray(expected) && Array.isArray(actual)) {
    const out = expected.length === actual.length ? [] : [`${path}: ${actual.length} items, recorded ${expected.length}`];
    for (let i = 0; i < Math.min(expected.length, actual.length); i++) out.push(...differences(expected[i], actual[i], `${path}[${i}]`));
    return out;
  }
  if (isMap(expected) && isMap(actual)) {
    return [...new Set([...Object.keys(expected), ...Object.keys(actual)])].flatMap((key) => differences(expected[key], actual[key], path.endsWith(': ') ? path + key : `${path}.${key}`));
  }
  return [`${path}: ${JSON.stringify(actual)}, recorded ${JSON.stringify(expected)}`];
}

/**
 * A history matches when each object sees the same changes from the same components in the same order. Objects do not have
 * to interleave as recorded. A recording made several times keeps every variant of an object's sequence that a real cluster showed.
 */
export function compareHistory(recorded, actual, { relaxed = false } = {}) {
  if (!actual) return ['history: none'];
  const problems = [];
  const anonymous = (sequence) => canonical(relaxed ? joined(sequence) : sequence).replace(/~\d+/g, '~');
  const mine = groupBy(Object.entries(sequences(actual.writes)), ([object]) => group(object));
  const theirs = groupBy(Object.entries(recorded.objects), ([object]) => group(object));
  for (const [name, objects] of Object.entries(theirs)) {
    const written = mine[name] ?? [];
    if (written.length !== objects.length) problems.push(`history: ${written.length} objects ${name}, recorded ${objects.length}`);
    const variants = objects.flatMap(([, sequences]) => sequences).map(anonymous);
    for (const [object, sequence] of written) {
      if (variants.some((variant) => variant === anonymous(sequence))) continue;
      const nearest = variants.map((variant) => differences(JSON.parse(variant), JSON.parse(anonymous(sequence)), `history ${object}`)).sort((a, b) => a.length - b.length)[0];
      problems.push(...nearest.slice(0, 12));
    }
  }
  for (const name of Object.keys(mine)) if (!theirs[name]) problems.push(`history: ${name} written, never in the recording`);
  const seen = new Set(actual.events.map(eventLine));
  for (const line of recorded.events) if (!seen.has(line)) problems.push(`history: no event ${line}`);
  const known = new Set([...recorded.events, ...(recorded.sometimes ?? [])]);
  for (const line of seen) if (!known.has(line)) problems.push(`history: unexpected event ${line}`);
  return problems;
}

/** Objects with generated names stand in for each other: which of them was deleted, or started first, is chance. */
const group = (object) => object.replace(/~\d+$/, '~');
const anonymous = (sequence) => canonical(sequence).replace(/~\d+/g, '~');
/** JSON text in which the order of keys does not show. */
const canonical = (value) => JSON.stringify(value, (_, v) => (isMap(v) ? Object.fromEntries(Object.entries(v).sort(([a], [b]) => (a < b ? -1 : 1))) : v));

/** Joins neighbouring writes of one component to one (sub)resource: two status updates in a row may as well have been one. */
function joined(sequence) {
  const out = [];
  for (const write of sequence) {
    const last = out.at(-1);
    if (last && write.verb !== 'create' && ['by', 'verb', 'subresource', 'code'].every((key) => last[key] === write[key])) last.change = joinChanges(last.change, write.change);
    else out.push({ ...write });
  }
  return out;
}
const joinChanges = (a, b) => (isMap(a) && isMap(b) ? Object.fromEntries([...new Set([...Object.keys(a), ...Object.keys(b)])].map((key) => [key, key in b ? joinChanges(a[key], b[key]) : a[key]])) : b);

const eventLine = ({ by, about, type, reason, message }) => `${by}: ${about} ${type} ${reason}: ${message}`.replace(/~\d+/g, '~');

/** The writes of each object, without times. */
export function sequences(writes) {
  const out = {};
  for (const { t, object, ...write } of writes) (out[object.split('/').slice(0, 2).join('/')] ??= []).push({ ...write, ...(object.split('/').length > 2 ? { subresource: object.split('/').slice(2).join('/') } : {}) });
  return out;
}

/** Joins several recordings of one case: per object the variants seen, and the events that came every time or only sometimes. */
export function mergeHistories(runs) {
  const objects = {};
  for (const run of runs) for (const [object, sequence] of Object.entries(sequences(run.writes))) {
    const variants = (objects[object] ??= []);
    const known = Object.keys(objects).filter((other) => group(other) === group(object)).flatMap((other) => objects[other]);
    if (!known.some((v) => anonymous(v) === anonymous(sequence))) variants.push(sequence);
  }
  const lines = runs.map((run) => new Set(run.events.map(eventLine)));
  const every = [...lines[0]].filter((line) => lines.every((set) => set.has(line)));
  const sometimes = [...new Set(lines.flatMap((set) => [...set]))].filter((line) => !every.includes(line));
  return { objects, events: every, ...(sometimes.length ? { sometimes } : {}), timeline: runs[0].writes.map(({ t, by, verb, object, code }) => `${String(t).padStart(6)} ms  ${by}  ${verb}  ${object}  ${code}`) };
}
