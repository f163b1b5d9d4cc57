/** Follows text that must be strict JSON, character by character, and says where it stands. */
export interface JsonWatcher {
  /** False as soon as no continuation could make what was pushed a JSON object. */
  push(text: string): boolean
  /** What was pushed is a whole JSON object. */
  readonly isComplete: boolean
}

const number = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/
const numberPrefix = /^-?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|(?:0|[1-9][0-9]*)(?:\.[0-9]+)?[eE][+-]?[0-9]*)?$/
const words = ['true', 'false', 'null']

/** A pushdown automaton of RFC 8259, as plain as possible: the laws rest on it. */
export function createJsonWatcher(): JsonWatcher {
  const open: ('{' | '[')[] = []
  let state: 'start' | 'value' | 'first' | 'key' | 'colon' | 'after' | 'string' | 'escape' | 'hex' | 'word' | 'end' =
    'start'
  let isKey = false
  let word = ''
  let hex = 0
  let failed = false

  function close(bracket: string): boolean {
    if (open.pop() !== (bracket === '}' ? '{' : '[')) return false
    state = open.length === 0 ? 'end' : 'after'
    return true
  }

  function begin(char: string): boolean {
    if (char === '{' || char === '[') {
      open.push(char)
      state = 'first'
    } else if (char === '"') {
      isKey = false
      state = 'string'
    } else {
      word = char
      state = 'word'
      return isWordPrefix(word)
    }
    return true
  }

  function step(char: string): boolean {
    const inObject = open.at(-1) === '{'
    switch (state) {
      case 'string':
        if (char === '\\') state = 'escape'
        else if (char === '"') state = isKey ? 'colon' : 'after'
        return char >= ' '
      case 'escape':
        state = char === 'u' ? 'hex' : 'string'
        hex = 0
        return '"\\/bfnrtu'.includes(char)
      case 'hex':
        if (++hex === 4) state = 'string'
        return /[0-9a-fA-F]/.test(char)
      case 'word':
        if (isWordPrefix(word + char)) {
          word += char
          return true
        }
        if (!words.includes(word) && !number.test(word)) return false
        state = 'after'
        return step(char)
    }
    if (' \t\n\r'.includes(char)) return true
    switch (state) {
      case 'start':
        return char === '{' && begin(char)
      case 'first':
        if (char === (inObject ? '}' : ']')) return close(char)
        state = inObject ? 'key' : 'value'
        return step(char)
      case 'key':
        isKey = true
        state = 'string'
        return char === '"'
      case 'colon':
        state = 'value'
        return char === ':'
      case 'value':
        return begin(char)
      case 'after':
        if (char === ',') state = inObject ? 'key' : 'value'
        return char === ',' || ((char === '}' || char === ']') && close(char))
      default:
        return false
    }
  }

  return {
    push(text) {
      for (let i = 0; i < text.length && !failed; i++) failed = !step(text.charAt(i))
      return !failed
    },
    get isComplete() {
      return !failed && state === 'end'
    },
  }
}

function isWordPrefix(text: string): boolean {
  return words.some((whole) => whole.startsWith(text)) || numberPrefix.test(text)
}
