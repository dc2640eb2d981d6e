/*
 * Sentences that components put into the trace, in Japanese. The trace is in English, since it is part of what must come out the same in each run; so they are known by
 * their form. Texts of Kubernetes itself (reasons, errors, messages of conditions) are quoted as they are, as kubectl would.
 */

type Form = readonly [RegExp, string | ((...groups: string[]) => string)];

const FAULTS: readonly Form[] = [
  [/^(\S+) crashes$/, '$1がクラッシュします'],
  [/^(\S+) will crash before its next (\S+) of (\S+)$/, '$1は、次に$3を$2する直前にクラッシュします'],
  [/^(\S+) will crash after its next (\S+) of (\S+)$/, '$1は、次に$3を$2した直後にクラッシュします'],
  [/^(\S+) is started again$/, '$1を再び起動します'],
  [/^(\S+) stands still$/, '$1が応答しなくなります'],
  [/^(\S+) goes on$/, '$1が再開します'],
  [/^node (\S+) loses power$/, 'ノード$1の電源が落ちます'],
  [/^node (\S+) is switched on$/, 'ノード$1の電源が入ります'],
  [/^node (\S+) is shut down$/, 'ノード$1をシャットダウンします'],
  [/^the cloud refuses (\S+): (.*)$/, 'クラウドが$1を拒否します: $2'],
  [/^the cloud does (\S+) again$/, 'クラウドが再び$1に応じます'],
  [/^(\S+) is cut off from kube-apiserver$/, '$1がkube-apiserverから切り離されます'],
  [/^(\S+) can reach kube-apiserver again$/, '$1が再びkube-apiserverとつながります'],
  [/^messages between (\S+) and kube-apiserver take (\S+) ms longer$/, '$1とkube-apiserverの間の通信が$2 ms遅くなります'],
  [/^messages between (\S+) and kube-apiserver are as fast as ever$/, '$1とkube-apiserverの間の通信が元の速さに戻ります'],
  [/^kube-apiserver goes down for (\S+) ms$/, 'kube-apiserverが$1 ms停止します'],
  [
    /^(\S+) % of the requests of priority level (\S+) are too many for kube-apiserver$/,
    '優先度レベル$2の要求の$1%がkube-apiserverの許容量を超えます',
  ],
  [/^(\S+) % of the requests are too many for kube-apiserver$/, '要求の$1%がkube-apiserverの許容量を超えます'],
  [/^kube-apiserver is not overloaded any more$/, 'kube-apiserverの過負荷が終わります'],
  [/^watch events reach (\S+) (\S+) ms late$/, '$1にwatchのイベントが$2 ms遅れて届きます'],
  [/^watch events reach (\S+) in time again$/, '$1にwatchのイベントが再び遅れずに届きます'],
  [/^(\S+) will miss the next change of any object$/, '$1に次の変更が届きません'],
  [/^(\S+) will miss the next change of (.+)$/, '$1に$2の次の変更が届きません'],
  [/^(\S+) will miss the next (\S+) of any object$/, '$1に次の$2が届きません'],
  [/^(\S+) will miss the next (\S+) of (.+)$/, '$1に$3の次の$2が届きません'],
  [/^GPU (\S+) of node (\S+) breaks$/, 'ノード$2のGPU $1が壊れます'],
  [/^GPU (\S+) of node (\S+) works again$/, 'ノード$2のGPU $1が直ります'],
  [/^node (\S+) loses its CNI configuration$/, 'ノード$1のCNI設定がなくなります'],
  [/^node (\S+) has its CNI configuration back$/, 'ノード$1のCNI設定が元に戻ります'],
  [/^something takes (\S+) % of the disk of node (\S+)$/, 'ノード$2のディスクの$1%が使われます'],
  [/^something takes (\S+) % of the process ids of node (\S+)$/, 'ノード$2のプロセスIDの$1%が使われます'],
  [/^the clock of node (\S+) is (\S+) ms ahead$/, 'ノード$1の時計が$2 ms進みます'],
  [/^the clock of node (\S+) is (\S+) ms behind$/, 'ノード$1の時計が$2 ms遅れます'],
  [/^the clock of node (\S+) is right again$/, 'ノード$1の時計が直ります'],
  [/^registries do not answer any more$/, 'レジストリが応答しなくなります'],
  [/^registries can be reached again$/, 'レジストリに再び接続できます'],
  [/^registry (\S+) does not answer any more$/, 'レジストリ$1が応答しなくなります'],
  [/^(\S+) can be reached again$/, '$1に再び接続できます'],
];

const WORKLOADS: readonly Form[] = [
  [/^(\d+) pods wanted, (\d+) active: create (\d+)$/, '望まれるPodは$1個、動作中は$2個: $3個作成します'],
  [/^(\d+) pods wanted, (\d+) active: delete (\d+)$/, '望まれるPodは$1個、動作中は$2個: $3個削除します'],
  [/^(\d+) pods of old ReplicaSet (\S+) are not available: remove (\d+)$/, '古いReplicaSet $2のPod $1個が利用できません: $3個減らします'],
  [
    /^(\d+) pods wanted, (\d+) in all: new ReplicaSet from (\d+) to (\d+)$/,
    '望まれるPodは$1個、合計は$2個: 新しいReplicaSetを$3個から$4個にします',
  ],
  [
    /^(\d+) pods are available, at least (\d+) have to be: remove (\d+) of old ReplicaSet (\S+)$/,
    '利用できるPodは$1個、最低$2個が必要: 古いReplicaSet $4を$3個減らします',
  ],
  [
    /^at least (\d+) pods have to stay, (\d+) new pods are not available yet: old pods stay$/,
    '最低$1個のPodが必要で、新しいPod $2個はまだ利用できません: 古いPodを残します',
  ],
  [
    /^no ReplicaSet has the template of revision (\d+): create (\S+) with (\d+) of (\d+) pods$/,
    'リビジョン$1のテンプレートを持つReplicaSetがありません: $2を作成します(Pod $4個中$3個)',
  ],
  [
    /^(\S+) is taken by another template: try with collision count (\d+)$/,
    '$1は別のテンプレートが使っています: collision count $2で試みます',
  ],
  [
    /^(\d+) old ReplicaSets, revisionHistoryLimit is (\d+): delete (\S+)$/,
    '古いReplicaSetが$1個、revisionHistoryLimitは$2: $3を削除します',
  ],
  [/^old pods are still there: wait until they are gone$/, '古いPodがまだあります: なくなるまで待ちます'],
  [
    /^(\S+) was scaled to (\d+) during a rollout: (.+)$/,
    (...[, name, count, sizes]) => `${name}がロールアウト中に${count}へスケールされました: ${sizes?.replaceAll(' to ', 'を')}`,
  ],
  [/^Pod (\S+) has ended \((\S+)\): delete it$/, 'Pod $1が終了しました($2): 削除します'],
  [/^Pod (\S+) is missing: create it with revision (\S+)$/, 'Pod $1がありません: リビジョン$2で作成します'],
  [/^(\d+) pods wanted: delete (\S+)$/, '望まれるPodは$1個: $2を削除します'],
  [/^Pod (\S+) has revision (\S+), not (\S+): delete it$/, 'Pod $1のリビジョンは$2で、$3ではありません: 削除します'],
  [/^create pods for (.+); delete (.+)$/, '$1のPodを作成し、$2を削除します'],
  [/^create pods for (.+)$/, '$1のPodを作成します'],
  [/^pods have failed: wait (\d+) s before the next one$/, 'Podが失敗しました: 次まで$1秒待ちます'],
  [/^the Job is suspended: delete (\d+)$/, 'Jobが一時停止されました: $1個削除します'],
  [/^the Job ends \((\S+)\): delete its (\d+) active pods$/, 'Jobが終わります($1): 動作中のPod $2個を削除します'],
  [
    /^the Job finished (\d+) s ago \(ttlSecondsAfterFinished\): delete it$/,
    'Jobの終了から$1秒たちました(ttlSecondsAfterFinished): 削除します',
  ],
  [/^the time (\S+) has come: create Job (\S+)$/, '時刻$1になりました: Job $2を作成します'],
  [/^(\d+) finished Jobs of a kind, (\d+) are kept: delete (\d+)$/, '終了した同種のJobが$1個、残すのは$2個: $3個削除します'],
  [/^(\d+) replicas, (.+) asks for (\d+), bounded to (\d+)$/, '$1レプリカ、$2が求めるのは$3、範囲内の$4にします'],
  [/^(\d+) replicas, (.+) asks for (\d+)$/, '$1レプリカ、$2が求めるのは$3'],
  [/^delete (.+)$/, '$1を削除します'],
];

const OTHER_CONTROLLERS: readonly Form[] = [
  [/^no dependent blocks the deletion any more: let it go$/, '削除を妨げる従属オブジェクトがなくなりました: 削除を終えます'],
  [/^owned by (.+), too: take (.+) off its owners$/, '$1にも所有されています: 所有者から$2を外します'],
  [
    /^its owner (.+) is deleted in the foreground, and it has dependents itself: delete it in the foreground$/,
    '所有者の$1がforegroundで削除され、自身にも従属オブジェクトがあります: foregroundで削除します',
  ],
  [/^its owner (.+) does not exist: delete it$/, '所有者の$1がありません: 削除します'],
  [/^its owner (.+) waits for it to go: delete it$/, '所有者の$1が、なくなるのを待っています: 削除します'],
  [/^its owner (.+) is deleted, and leaves it: take the reference off$/, '所有者の$1が、これを残して削除されます: 参照を外します'],
  [
    /^pod (\S+) is bound to node (\S+), which no longer exists: it is deleted$/,
    'Pod $1が割り当てられたノード$2がもうありません: 削除します',
  ],
  [
    /^node (\S+) has not given a sign of life for (\d+) s: Ready becomes Unknown$/,
    'ノード$1から$2秒間応答がありません: ReadyをUnknownにします',
  ],
  [/^node (\S+) gets the pod range (.+)$/, 'ノード$1にPodのアドレス範囲$2を割り当てます'],
  [/^pod (\S+) does not tolerate (.+) of node (\S+): it is evicted now$/, 'Pod $1はノード$3の$2を許容しません: いま退避させます'],
  [/^pod (\S+) tolerates (.+) of node (\S+) for (\S+) s$/, 'Pod $1はノード$3の$2を$4秒間許容します'],
  [/^Counted what namespace (\S+) uses: (.+)$/, 'namespace $1の使用量を数えました: $2'],
  [
    /^PersistentVolume (\S+) fits PersistentVolumeClaim (\S+): bind them to each other$/,
    'PersistentVolume $1がPersistentVolumeClaim $2に合います: 互いに結び付けます',
  ],
  [
    /^Namespace (\S+) cannot go yet: (.+) left in it; looking again in (\d+) s$/,
    'Namespace $1はまだ削除できません: $2が残っています。$3秒後にもう一度調べます',
  ],
  [/^asks the webhook (\S+) of (\S+)$/, '$2のwebhook $1に問い合わせます'],
  [/^Error syncing pod, skipping: (.+)$/, 'Podの同期でエラー、今回は見送ります: $1'],
  [/^Could not process manifest file (\S+): (.+)$/, 'マニフェストファイル$1を処理できません: $2'],
];

const SCHEDULING: readonly Form[] = [
  [/^(?:(\S+) )?goes to (\S+): the only node that it fits on$/, '$1 $2に置きます: 条件に合うただ1つのノード'],
  [
    /^(?:(\S+) )?goes to (\S+): one of (\d+) equally good of (\d+) nodes that it fits on$/,
    '$1 $2に置きます: 条件に合うノード$4個中、同点の$3個の1つ',
  ],
  [/^(?:(\S+) )?goes to (\S+): the best of (\d+) nodes that it fits on$/, '$1 $2に置きます: 条件に合うノード$3個の中で最良'],
  [/^(?:(\S+) )?cannot be scheduled: (.+)$/, '$1 スケジュールできません: $2'],
];

const NODES: readonly Form[] = [
  [/^pulled image (\S+) \((.+)\)$/, 'イメージ$1を取得しました($2)'],
  [/^ended with its machine$/, 'マシンとともに終了しました'],
  [/^(\S+) probe of (\S+): (\S+)$/, '$2の$1プローブ: $3'],
  [/^wrote the rules of node (\S+) for (.+)$/, 'ノード$1のルールを書きました: $2'],
  [/^wrote the rules for (.+)$/, 'ルールを書きました: $1'],
  [/^Removing image to free bytes: (\S+) \((\d+) bytes\)$/, '容量を空けるためイメージ$1を削除します($2バイト)'],
  [/^device plugin registered (\S+)$/, 'デバイスプラグインが$1を登録しました'],
  [/^device plugin of (\S+) is gone$/, '$1のデバイスプラグインがなくなりました'],
  [/^AWS is asked: (\S+) is refused: (.+)$/, 'AWSへの要求が拒否されました: $1 ($2)'],
  [/^AWS is asked: (.+)$/, 'AWSへの要求: $1'],
  [/^the cloud is asked: (.+) to no node$/, 'クラウドへの要求: $1 (ノードなし)'],
  [/^the cloud is asked: (.+?) to (.+)$/, 'クラウドへの要求: $1 (対象$2)'],
  [/^the cloud is asked: (.+)$/, 'クラウドへの要求: $1'],
  [/^(\S+) is asked: (.+)$/, '$1への要求: $2'],
  [/^(\S+) requests\/s for (\S+), shared among (\d+) endpoints$/, '$2へ毎秒$1リクエスト、エンドポイント$3個で分担'],
  [/^load of (\S+) requests\/s for (\S+)$/, '$2へ毎秒$1リクエストの負荷'],
  [/^(\S+) answered with (\d+) by (\S+)$/, '$1への接続: $3から$2の応答'],
  [/^(\S+) answered by (\S+)$/, '$1への接続: $2につながりました'],
  [/^(\S+) refused by (\S+)$/, '$1への接続: $2に拒否されました'],
  [/^(\S+) refused$/, '$1への接続: 拒否されました'],
  [/^(\S+) timeout$/, '$1への接続: 応答がありません(タイムアウト)'],
  [/^(\S+) no such name$/, '$1への接続: その名前はありません'],
  [/^(\S+: .+?) accepted by (.+)$/, '$1 許可されました: $2'],
  [/^(\S+: .+?) dropped: no rule of (.+) allows? it$/, '$1 破棄されました: 許可するルールがありません($2)'],
  [/^(\S+: .+?) dropped: nobody listens at the queue$/, '$1 破棄されました: 判定するプログラムがありません'],
  [/^failed to resolve reference (.+)$/, 'イメージを取得できません: failed to resolve reference $1'],
];

/** The way of a connection, station by station. */
const STATIONS: readonly Form[] = [
  [/^dns: (\S+) is NXDOMAIN$/, 'DNS: $1という名前はありません(NXDOMAIN)'],
  [/^dns: (\S+) is (.+)$/, 'DNS: $1のアドレスは$2'],
  [/^no name server: (.+) is (.+)$/, 'ネームサーバーなし: $1は$2'],
  [/^(coredns|[\d.:a-f]+): (.+) is (.+)$/, '$1: $2は$3'],
  [/^kube-proxy\/(\S+): the packet passes (\d+) rules$/, 'kube-proxy/$1: パケットは$2個のルールを通ります'],
  [/^to (\S+): nobody outside of the cluster has this address$/, '$1へ: クラスターの外にこのアドレスを持つものはありません'],
  [/^to (\S+): nobody has this address$/, '$1へ: このアドレスを持つものはありません'],
  [/^from (\S+) to node (\S+), (\S+)$/, '$1からノード$2の$3へ'],
  [/^from (\S+) to (\S+)$/, '$1から$2へ'],
  [/^load balancer of (\S+), port (\d+): (\d+) of (\d+) nodes healthy$/, '$1のロードバランサー、ポート$2: ノード$4個のうち正常$3個'],
  [/^load balancer of (\S+): nothing at port (\d+)$/, '$1のロードバランサー: ポート$2では待ち受けていません'],
  [/^(\w+) load balancer (\S+): no listener at port (\d+)$/, 'ロードバランサー$2($1): ポート$3のリスナーはありません'],
  [/^(\w+) load balancer ([^:]+): fixed response (\d+)$/, 'ロードバランサー$2($1): 固定の応答$3'],
  [/^(\w+) load balancer ([^:]+): no target is registered in (.+)$/, 'ロードバランサー$2($1): $3にターゲットが登録されていません'],
  [
    /^(\w+) load balancer ([^:]+): target group (\S+), (\d+) of (\d+) targets healthy$/,
    'ロードバランサー$2($1): ターゲットグループ$3、ターゲット$5個のうち正常$4個',
  ],
  [
    /^(\w+) load balancer ([^:]+): target group (\S+), (\d+) of (\d+) targets healthy, so all are tried$/,
    'ロードバランサー$2($1): ターゲットグループ$3、ターゲット$5個のうち正常$4個、そこですべてを試します',
  ],
  [/^(\S+) has no load balancer$/, '$1にはロードバランサーがありません'],
];

const INPUTS: readonly Form[] = [
  [/^visit (\S+) from outside of the cluster$/, 'クラスターの外から$1へ接続'],
  [/^visit (\S+) from node (\S+)$/, 'ノード$2から$1へ接続'],
  [/^Ctrl-C for command (\d+)$/, 'コマンド$1にCtrl-C'],
  [/^(\S+) for request (\d+)$/, '要求$2へ$1'],
  [/^the sender of request (\d+) goes away$/, '要求$1の送信元がいなくなりました'],
  [/^the answer to request (\d+) out of the cluster$/, 'クラスター外への要求$1の応答'],
];

const FORMS: readonly Form[] = [...INPUTS, ...STATIONS, ...SCHEDULING, ...WORKLOADS, ...OTHER_CONTROLLERS, ...NODES, ...FAULTS];

/**
 * What a component said, in Japanese; what has no known form is told as it is.
 * @example messageInJapanese('node n1 loses power')
 */
export function messageInJapanese(text: string): string {
  for (const [form, japanese] of FORMS) {
    if (form.test(text))
      return text
        .replace(form, japanese as string)
        .replace(/\((\d+) endpoints?\)/g, '(エンドポイント$1個)')
        .replace(/ +/g, ' ')
        .trim();
  }
  return text;
}
