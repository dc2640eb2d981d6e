import { messageInJapanese } from './messages-ja.ts';
import type { Change, Creation, EntryTelling, RuntimeWhat, Telling, WriteTelling } from './telling.ts';

const VERBS: Readonly<Record<string, string>> = {
  get: '取得',
  list: '一覧取得',
  watch: 'watch',
  create: '作成',
  update: '更新',
  patch: '変更',
  delete: '削除',
  deletecollection: '一括削除',
};

const inBrackets = (text: string): string => (text ? `(${text})` : '');

const write: WriteTelling = {
  removed: (name, forGood) => ({ verb: forGood ? 'を完全に削除しました' : 'を削除しました', tail: '', state: `${name}がなくなった` }),
  created: (name, of) => ({
    verb: of.isNode ? 'を登録しました' : 'を作成しました',
    tail: inBrackets(creationTail(of)),
    state: `${name}が作成された`,
  }),
  marked: (name, of) => ({ verb: 'に削除の印を付けました', tail: inBrackets(deletionTail(of)), state: `${name}に削除の印が付いた` }),
  graceCut: (name, seconds) => ({
    verb: 'の停止までの時間を短縮しました',
    tail: inBrackets(`${seconds}秒`),
    state: `${name}の停止まで残り${seconds}秒になった`,
  }),
  conditions: (name, conditions) => ({ verb: 'の状態を報告しました', tail: `: ${conditions}`, state: `${name}が${conditions}になった` }),
  finalizersPut: (name, finalizers) => ({
    verb: 'にファイナライザーを付けました',
    tail: `: ${finalizers}`,
    state: `${name}にファイナライザー${finalizers}が付いた`,
  }),
  finalizersTaken: (name, finalizers) => ({
    verb: 'からファイナライザーを外しました',
    tail: `: ${finalizers}`,
    state: `${name}からファイナライザー${finalizers}が外れた`,
  }),
  statusUpdated: (name, parts) => ({ verb: 'のstatusを更新しました', tail: `: ${parts}`, state: `${name}のstatusが変わった` }),
  updated: (name, what) => ({ verb: 'を更新しました', tail: inBrackets(what), state: `${name}が変わった${inBrackets(what)}` }),
  assigned: (name, node) => ({ verb: `をノード${node}に割り当てました`, tail: '', state: `${name}がノード${node}に割り当てられた` }),
  noNode: (name, message) => ({
    verb: 'を置けるノードがないと報告しました',
    tail: `: ${message}`,
    state: `${name}をスケジュールできなかった`,
  }),
  reported: (name, parts) => ({ verb: 'の状態を報告しました', tail: `: ${parts}`, state: `${name}の状態が変わった(${parts})` }),
  tainted: (name, taints) => ({ verb: 'にtaintを付けました', tail: `: ${taints}`, state: `${name}にtaint ${taints}が付いた` }),
  untainted: (name, taints) => ({ verb: 'からtaintを外しました', tail: `: ${taints}`, state: `${name}からtaint ${taints}が外れた` }),
  cordoned: (name, isCordoned) => ({
    verb: isCordoned ? 'をcordonしました' : 'をuncordonしました',
    tail: '',
    state: `${name}が新しいPodを受け入れ${isCordoned ? 'なくなった' : 'るようになった'}`,
  }),
  givenAddresses: (name, cidr) => ({
    verb: 'にPodのアドレス範囲を割り当てました',
    tail: `: ${cidr}`,
    state: `${name}にPodのアドレス範囲が割り当てられた`,
  }),
  endpoints: (name, parts) => ({ verb: 'を更新しました', tail: `: ${parts}`, state: `${name}が変わった(${parts})` }),
  scaled: (name, from, to) => ({ verb: `を${from}から${to}にスケールしました`, tail: '', state: `${name}が望むPodが${to}個になった` }),
  template: (name, images) => ({
    verb: 'のPodテンプレートを変えました',
    tail: inBrackets(images && `イメージ${images}`),
    state: `${name}のPodテンプレートが変わった`,
  }),
  progress: (name, words) => ({ verb: 'のstatusを更新しました', tail: `: ${words}`, state: `${name}のstatusが変わった(${words})` }),
};

function creationTail({ replicas, address, endpoints, owner }: Creation): string {
  return [
    ...(replicas === undefined ? [] : [`${replicas}レプリカ`]),
    ...(address ? [`アドレス${address}`] : []),
    ...(endpoints > 0 ? [`エンドポイント${endpoints}個`] : []),
    ...(owner ? [`${owner}のため`] : []),
  ].join('、');
}

function deletionTail({ grace, finalizers }: { readonly grace: number; readonly finalizers: readonly string[] }): string {
  if (finalizers.length > 0) return `${finalizers.join('、')}が外れるまで残ります`;
  return grace > 0 ? `停止まで${grace}秒` : '';
}

const list = (items: readonly string[]): string => items.join('、');

function answerVerb(verb: string): string {
  return VERBS[verb] ?? verb;
}

function placeOf(pod: string, container: string): string {
  return container ? `${pod}のコンテナ${container}` : pod;
}

function runtime({ what, pod, container, detail }: RuntimeWhat): string {
  const place = placeOf(pod, container);
  switch (what) {
    case 'created':
      return `${place}を作成しました${inBrackets(detail)}`;
    case 'started':
      return `${place}を起動しました`;
    case 'start-failed':
      return `${place}を起動できませんでした: ${detail}`;
    case 'signalled':
      return `${place}に${detail || 'シグナル'}を送りました`;
    case 'exited':
      return `${place}がコード${detail}で終了しました`;
    case 'sandbox-created':
      return `${pod}のサンドボックスを用意しました${inBrackets(detail && `アドレス${detail}`)}`;
    case 'sandbox-stopped':
      return `${pod}のサンドボックスを片付けました`;
  }
}

const entry: EntryTelling = {
  ran: (command) => `${command}を実行しました`,
  startedAgain: (run) => `再び起動しました(${run}回目)`,
  actor: (what) =>
    ({ started: '起動しました', crashed: 'クラッシュしました', paused: '応答しなくなりました', resumed: '再開しました' })[what],
  state: (what) => ({ started: '起動', crashed: 'クラッシュ', paused: '停止', resumed: '再開' })[what],
  asked: (verb, target) => `${target}の${answerVerb(verb)}を要求しました`,
  subresource: (subresource, name) => `${name}の${subresource}`,
  conflict: (verb, target) => `${target}を${answerVerb(verb)}しようとしましたが、読んだ後に変わっていました(409 Conflict)`,
  answered: (request, { isRefusal, text }) => {
    const tried = request ? `${request.target}を${answerVerb(request.verb)}しようとしました` : '要求しました';
    return isRefusal ? `${tried}が、応答は${text}` : `${tried}: ${text}`;
  },
  saw: (state) => `${state}ことを知りました`,
  sawIt: 'それを知りました',
  looksAt: (key) => `${key}を調べます`,
  isDoneWith: (key) => `${key}の処理を終えました`,
  failedOn: (key, result) => `${key}の処理を終えられませんでした: ${result}`,
  gone: (name) => `${name}がなくなった`,
  isThere: (name) => `${name}がある`,
  changed: (name) => `${name}が変わった`,
  // What was just named is left out, as people do.
  it: '',
  a: (kind) => kind,
  runtime,
  about: (message, { pod, container }) => `${message}(${placeOf(pod, container)})`,
};

/** How a run is told in Japanese: kubernetes.io/ja style; names of components, kinds and fields stay as they are. */
export const JA_TELLING: Telling = {
  who: (actor) => (actor === 'you' ? 'あなた' : actor === 'fault' ? '障害' : actor),
  sentence: ({ verb, tail }: Change, name) => `${name}${name ? verb : verb.replace(/^(?:を|に|の|から)/, '')}${tail}`,
  several: ({ verb, tail }, { kind, names }) =>
    `${kind} ${names.length}個${verb}${tail.startsWith(': ') ? inBrackets(tail.slice(2)) : tail}: `,
  list,
  listing: list,
  more: (count) => `ほか${count}件`,
  write,
  part: {
    ready: (isReady) => (isReady ? 'Ready' : 'Readyでない'),
    restarted: (times) => `再起動${times}回`,
    allStopped: '全コンテナが停止',
    withAddress: (address) => `アドレス${address}`,
    noHeartbeat: 'Unknown(ハートビートなし)',
    added: (pod, state) => `${pod}を追加(${ENDPOINT[state]})`,
    isNow: (pod, state) => `${pod}は${ENDPOINT[state]}`,
    tookOut: (pod) => `${pod}を除外`,
    key: (of, key) => `${of === 'label' ? 'ラベル' : 'アノテーション'}${key}`,
    seenGeneration: (generation) => `generation ${generation}を確認`,
    readiness: (ready, wanted) => (ready > wanted ? `Ready ${ready}個、希望${wanted}個` : `${wanted}個中${ready}個がReady`),
    upToDate: (count) => `最新${count}個`,
    inAll: (count) => `合計${count}個`,
    job: (active, succeeded, failed) => `実行中${active}個、成功${succeeded}個、失敗${failed}個`,
  },
  entry,
  story: {
    because: (text, reason) => `${text}  (理由: ${reason})`,
    sameReason: '同上',
    youAsked: 'あなたが要求したため',
    sawThat: (state) => `${state}のを知ったため`,
    tryAgain: (text) => `${text}。もう一度試みます`,
    started: (names) => `${names}を起動しました`,
    onNodes: (nodes) => `ノード${nodes}では`,
    onTheseNodes: (words, nodes) => `${words}(ノード${nodes})`,
    cluster: 'クラスター',
    kubelets: 'kubelet',
    had: (count, wanted) => `望まれるPod ${wanted}個中${count}個があったため`,
    hadTooMany: (count, wanted) => `Podが${count}個あり、望まれるのは${wanted}個のため`,
    join: (parts) => parts.join('。'),
  },
  lane: {
    pending: (count) => `待機 ${count}`,
    pods: (count) => `Pod ${count}`,
    down: '停止',
    paused: '応答なし',
    serving: '応答可',
    idle: '待機中',
    telling: '通知中',
    notices: '気付く',
    stores: '保存',
    asking: '要求中',
    refuses: '拒否',
    refused: '拒否された',
    decides: '決定',
    reconciles: 'reconcile',
    acts: '実行',
    done: (key) => `完了 ${key}`,
    retry: (key, why) => `再試行 ${key}: ${why}`,
    changedMeanwhile: 'その間に変わっていました',
  },
  decision: {
    decided: (pod, { time, seq, by }) => `Pod ${pod}、${time}に${by}が決定(#${seq})`,
    before: 'それまでの試み',
    goesTo: (node) => `${node}に置きます`,
    cannotBeScheduled: 'スケジュールできません',
    wentWrong: 'エラーが起きました',
    looked: (attempt, evaluated, feasible) => `${attempt}回目: ノード${evaluated}個を調べ、条件に合うのは${feasible}個`,
    waitsFor: (node, victims) => `${node}が空くのを待ちます。優先度の低いPodが退きます${victims.length ? `: ${victims.join(', ')}` : ''}`,
    refusedBefore: 'ノードを調べる前の拒否',
    refusedNodes: '拒否されたノード',
    node: 'ノード',
    filter: 'フィルター',
    itsWords: '理由',
    more: (count) => `ほか${count}個`,
    moreThatFit: (count) => `ほかに条件に合うノードが${count}個`,
    scores: 'スコア: 元の値、正規化した値、重みを掛けた値',
    plugin: 'プラグイン',
    weight: '重み',
    sum: '合計',
    choice: '選択',
    onlyNode: '選択の余地なし: 条件に合うのはこのノードだけです',
    highest: (node) => `${node}の合計が最高です`,
    chance: (node, { count, names, more }) =>
      `合計が同じ${count}個から、偶然により${node}が選ばれました: ${names.join(', ')}${more ? 'など' : ''}`,
    queue: 'キューの中: 時刻、状態、きっかけ',
    queues: {
      active: 'スケジュール待ち',
      backoff: '間隔を空けて待つ',
      unschedulable: '何かが変わるのを待つ',
      gated: 'キューに入れない',
      popped: '取り出された',
    },
    thisDecision: 'この決定',
  },
  message: messageInJapanese,
};

const ENDPOINT = { ready: 'Ready', 'not ready': 'Readyでない', terminating: '終了中' } as const;
