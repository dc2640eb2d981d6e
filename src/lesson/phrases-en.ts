import type { Check, Comparison } from './check.ts';
import { type CheckWords, foundWords, selectionWords } from './check-words.ts';
import type { RefusedWhy } from './lesson-event.ts';
import type { Phrases } from './phrases.ts';

const WORDS: CheckWords = {
  ready: 'ready',
  notReady: 'not ready',
  nothing: 'nothing of the kind',
  absentField: 'not set',
  comparison(is: Comparison) {
    const parts = [
      ...('eq' in is ? [`exactly ${show(is.eq)}`] : []),
      ...('ne' in is ? [`not ${show(is.ne)}`] : []),
      ...(is.lt === undefined ? [] : [`less than ${is.lt}`]),
      ...(is.gt === undefined ? [] : [`more than ${is.gt}`]),
      ...(is.min === undefined ? [] : [`at least ${is.min}`]),
      ...(is.max === undefined ? [] : [`at most ${is.max}`]),
      ...(is.exists === undefined ? [] : [is.exists ? 'set' : 'not set']),
    ];
    return parts.join(' and ');
  },
  moment: (time, count) => `${count} at ${time}`,
  happenedInstead: (text) => text,
};

function show(value: unknown): string {
  return typeof value === 'string' ? value : value === null ? 'not set' : JSON.stringify(value);
}

function wants(check: Check): string {
  const { comparison } = WORDS;
  switch (check.check) {
    case 'all':
      return check.of.map(wants).join('; and ');
    case 'any':
      return check.of.map(wants).join('; or ');
    case 'not':
      return `not so: ${wants(check.of)}`;
    case 'count':
      return `${comparison(check.is)} of ${selectionWords(check.of, WORDS)}`;
    case 'exists':
      return `there is ${selectionWords(check.of, WORDS)}`;
    case 'absent':
      return `there is no ${selectionWords(check.of, WORDS)}`;
    case 'object':
      return `${check.path} of ${selectionWords(check.of, WORDS)} is ${comparison(check.is)}`;
    case 'trace':
      return { eventually: 'it happens', never: 'it never happens', before: 'in this order', within: 'in time', finally: '' }[
        check.expectation.expect
      ].concat(`: ${check.expectation.text}`);
    case 'times':
      return `it happens ${comparison(check.is)} times`;
    case 'coexist':
      return `at once: ${check.of.map((of) => selectionWords(of, WORDS)).join(', ')}`;
    case 'always':
      return `at every moment ${comparison(check.is)} of ${selectionWords(check.of, WORDS)}`;
    case 'ever':
      return `at some moment ${comparison(check.is)} of ${selectionWords(check.of, WORDS)}`;
    case 'ran':
      return `you ran ${check.command}`;
  }
}

const REFUSED: Readonly<Record<RefusedWhy, (detail: string) => string>> = {
  'not-now': (waits) =>
    ({ next: 'Press Enter to go on first.', command: 'This step waits for a command.', answer: 'This step waits for an answer.' })[waits] ??
    'The lesson is over.',
  'not-allowed': (verbs) => `This lesson does not need that command here. Use one of: ${verbs}; get is always allowed.`,
  'not-a-command': (text) => `This is not a command: ${text}`,
  'not-an-answer': (text) => `This is not one of the answers: ${text}`,
  'no-more-hints': () => 'There are no more hints for this step.',
  'rule-form': () =>
    'This is not a line of reconcile. It begins with "always" or "if CONDITION then", followed by create, update or delete and a kind; then perhaps "named" or "generateName" and a text.',
  'rule-kind': (kinds) => `This reconcile can write objects of these kinds: ${kinds}.`,
  'rule-expression': (what) => `CEL does not understand this line, at column ${what}.`,
  'rule-type': (what) => `At column ${what.replace(/: (.*), (.*)$/, ' there is a value of type $1; it has to be of type $2.')}`,
  'no-such-line': (number) => `There is no line ${number}.`,
};

export const ENGLISH: Phrases = {
  lang: 'en',
  stop: '. ',
  wants,
  found: (result) => foundWords(result, WORDS),
  refused: (why, detail) => REFUSED[why](detail),
  stepOf: (number, count) => `Step ${number} of ${count}`,
  minutes: (count) => `${count} minutes`,
  hint: (tier) => `Hint ${tier} of 3`,
  score: (right, asked) => `${right} of ${asked} right`,
  sure: (confidence) => ['', 'a guess', 'thought so', 'knew it'][confidence] ?? '',
  next: (command) => `Next: ${command}`,
  chose: (answer) => `You said: ${answer}`,
  truth: (answer) => `It was: ${answer}`,
  labels: {
    lesson: 'Lesson',
    goal: 'Goal',
    question: 'Question',
    options: 'Options',
    answerOne: 'Answer with a number.',
    answerOrder: 'Answer with all numbers in their order, e.g. 2 1 3.',
    answerNumber: 'Answer with a number.',
    answerActions: 'Answer with all that it does, as often as it does it: by name (create Pod x2, delete Service) or by number (1 1 2).',
    howSure: 'How sure are you?',
    sureScale: '1 guess, 2 think, 3 know',
    command: 'Type a kubectl command.',
    writeRule:
      'Type a line of reconcile; a number and a line to replace that one; a number to take it out; run to start it. get works, too.',
    reconcile: 'Reconcile',
    noRules: 'empty',
    running: 'This is what the controller runs.',
    notRunning: 'The controller does not run this yet: type run.',
    tested: 'The controller runs it. Tested in a copy of the cluster:',
    goOn: 'Press Enter to go on.',
    right: 'Right',
    wrong: 'Not so',
    taken: 'Your answer is taken. You will see.',
    done: 'Done',
    notYet: 'Not yet',
    expected: 'expected',
    found: 'found',
    look: 'look at',
    lookAtLog: 'the log of events',
    mistake: 'Mind',
    solution: 'Solution',
    unexpected: 'It was done, but it is not what this step asks for.',
    inVain: 'Time ran, but what was waited for did not come.',
    replay: 'Again, from the log',
    debrief: 'Looking back',
    predictions: 'Answers',
    mistakes: 'Mistakes',
    hints: 'Hints you saw',
    links: 'To read on',
    none: 'none',
    finished: 'The lesson is finished.',
    undone: 'Undone: the run is back to before',
    nothingToUndo: 'There is no command to undo.',
    redone: 'Done again',
    nothingToRedo: 'There is nothing to do again.',
    help: 'Enter goes on; hint, solution, undo, redo, repeat, sandbox, lesson 4, lang en, lang ja, quit',
    resumed: 'Taken up where you left.',
    saved: 'Progress is saved.',
    sandbox: 'This is a copy of the cluster to play with: type commands, wait 30s, visit service/NAME; back returns to the lesson.',
    started: 'begun',
    testedOut: 'tested out',
    warmUp: 'Warm-up: a question that you missed, in a changed case',
    veiled: 'hidden until you answer',
    nothing: 'nothing',
    predict: 'Predict',
    quiz: 'Quiz',
  },
};
