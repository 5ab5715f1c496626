import type { Prose, ProseKind } from './read-prose.ts'

export interface ProseRule {
  readonly id: string
  /** The advice of a finding: the word or form to use. */
  readonly instead: string
  readonly kinds: readonly ProseKind[]
  /** Must have the flag `g`. */
  readonly pattern: RegExp
}

export interface ProseFinding {
  readonly rule: string
  readonly line: number
  /** The words that the rule found. */
  readonly found: string
  readonly instead: string
}

const WORDS: readonly ProseKind[] = ['comment', 'string', 'title', 'markdown']

const BRITISH = new RegExp(
  [
    String.raw`\b(?:un|dis|re|mis)?(?:colour|behaviour|favour|honour|neighbour|flavour|labour|harbour|rumour|vapour)\w*`,
    String.raw`\b(?:recogn|organ|reorgan|normal|serial|deserial|initial|optim|summar|synchron|minim|maxim|real|priorit|util|special|general|capital|author|custom|final|categor|standard|material|visual|stabil|emphas|memor|token|parameter|random|symbol|local|central|neutral|penal|tokenis)is(?:e|es|ed|er|ers|ing|ation|ations|able)\b`,
    String.raw`\b(?:re|un|mis)?(?:cancel|label|model|travel|signal|level|channel|tunnel|fuel|total|marshal|initial|unravel)l(?:ed|ing|er|ers)\b`,
    String.raw`\b(?:analys|paralys|catalys)(?:e|ed|es|ing)\b(?<!analyses)`,
    String.raw`\b(?:centre|metre|kilometre|litre|fibre|theatre)(?:s|d)?\b`,
    String.raw`\b(?:catalogue|grey|whilst|amongst|artefact|licence|defence|offence|fulfil|fulfils|judgement|acknowledgement|practis(?:e|es|ed|ing)|programme|cheque|ageing|learnt|spelt|dreamt|sceptical|manoeuvre|mould|plough|tyre|storey|aluminium|enrol|enrols|instalment|skilful|wilful)s?\b`
  ].join('|'),
  'gi'
)

/**
 * Each rule is right at least nine times in ten on the labeled sample; `scripts/test/prose-rules.test.ts` checks that.
 */
export const PROSE_RULES: readonly ProseRule[] = [
  {
    id: 'clause-as-subject',
    instead: 'begin with a noun or a verb: "Request for a lease", not "What is asked of a lease"',
    kinds: ['comment', 'title', 'markdown'],
    // a sentence that ends with ? may ask
    pattern:
      /(?<=^[-*#>|/\s\d.)]*|[.!?:]\s)(?:(?:What|Who|Whoever|Whatever|Whom|Whomever|Whichever)\b|(?<=^\s*)(?:what|who|whoever|whatever|whom)\b)(?!'s\b)(?![^.!|]*\?)/g
  },
  { id: 'most-least-name', instead: 'MAX_ or MIN_', kinds: ['name'], pattern: /(?<=^|_)(?:MOST|LEAST)(?=_|$)/g },
  {
    id: 'absent-people',
    instead:
      'name the process, the caller or the state: "a new member id means that the coordinator dropped this member"',
    // strings are not checked, since test data contains people
    kinds: ['comment', 'title', 'markdown'],
    pattern: /\b(?:whoever|whomever|nobody|somebody(?! else))\b/gi
  },
  {
    id: 'behind',
    instead: 'after',
    kinds: WORDS,
    pattern:
      /(?<!\b(?:left|leaves?|leaving)\b[^.]{0,30}\s)(?<!\b(?:falls?|fell|lags?|be|is|are|was|far)\s)\bbehind\b(?! (?:a|the) (?:proxy|firewall|gateway|load balancer))/gi
  },
  { id: 'beside', instead: 'next to, or in addition to', kinds: WORDS, pattern: /\bbeside\b/gi },
  word('anew', /\banew\b/gi, 'again'),
  word('mend', /\bmend(?:s|ed|ing)?\b/gi, 'fix, or: retrying cannot help'),
  word('dear', /\bdear(?:er|est|ly)?\b/gi, 'expensive'),
  word('per-cent', /\bper cent\b/gi, 'percent'),
  word('so-many', /\bso many\b(?![^.]*\bthat\b)/gi, 'n, or the name of the number'),
  word('to-be-had', /\bto be had\b/gi, 'available'),
  word('as-it-stands', /\bas (?:it|they) stands?\b/gi, 'as is'),
  word('go-on-from', /\b(?:go|goes|went|going|gone) on from\b/gi, 'resume'),
  word('let-go', /\b(?:let|lets|letting) (?:it |them )?go\b(?! on\b)/gi, 'release, resume or drop'),
  word('sign-of-life', /\bsigns? of life\b/gi, 'heartbeat'),
  word('purse', /\bpurses?\b/gi, 'RU budget'),
  word('surroundings', /\bsurroundings\b/gi, 'dependencies'),
  word('truth', /\b(?:a truth|truths)\b/gi, 'boolean'),
  word('a-text', /\ba text\b/gi, 'a string'),
  // letters of an alphabet are left alone; at the beginning of a line it may be the end of "dead letters"
  word(
    'letters',
    /(?<=\S )(?<!(?:by|dead|another|capital|other|in the|any case of|\d) )\bletters?\b(?! by letter| as |,? (?:and|or) digits|, digits| beyond)/gi,
    'dead-letter record'
  ),
  word('become-of', /\b(?:becomes?|became) of\b/gi, 'the outcome'),
  word('feelings', /\b(?:hungry|hunger|appetite|greedy|glad|patience)\b/gi, 'the condition'),
  word('bought', /\bbought\b/gi, 'provisioned'),
  word('ink', /\bink\b/g, 'encoded member'),
  { id: 'british-spelling', instead: 'the American spelling', kinds: WORDS, pattern: BRITISH }
]

/** Findings of all rules in one piece of prose. */
export function findProse({ kind, line, text }: Prose): ProseFinding[] {
  return PROSE_RULES.filter(({ kinds }) => kinds.includes(kind)).flatMap(({ id, pattern, instead }) =>
    [...text.matchAll(pattern)].map((match) => ({
      rule: id,
      line: line + text.slice(0, match.index).split('\n').length - 1,
      found: match[0],
      instead
    }))
  )
}

function word(id: string, pattern: RegExp, instead: string): ProseRule {
  return { id, instead, kinds: WORDS, pattern }
}
