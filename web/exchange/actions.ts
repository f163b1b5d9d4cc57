import type { Exchange } from '../../src/traces/exchange.ts'
import { getText, inWords } from '../data/api.ts'
import { copy, download, tell } from '../text/copy.ts'
import { toCurl } from './curl.ts'

export function copyCurl({ asked }: Exchange): Promise<void> {
  if (asked.body?.isTruncated === true)
    tell('The request was too long to keep whole, so the command holds only its beginning.')
  return copy(toCurl(asked, location.origin), 'as curl')
}

/** One exchange as a file that needs no gateway, or what the model said as a case for `dragoman explain --batch`. */
export async function exportExchange({ id }: Exchange, as: 'exchange' | 'golden'): Promise<void> {
  const [path, name] =
    as === 'golden' ? ['export?as=golden', `dragoman-golden-${id}.jsonl`] : ['export', `dragoman-exchange-${id}.json`]
  try {
    download(name, await getText(`exchanges/${encodeURIComponent(id)}/${path}`), 'application/json')
    tell(`Saved ${name}`)
  } catch (error) {
    tell(inWords(error))
  }
}
