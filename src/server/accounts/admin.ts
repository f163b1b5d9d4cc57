import type { KeySettings } from '../../config/keys.ts'
import { GatewayError } from '../../errors.ts'
import type { Keyring } from '../access/auth.ts'
import { authenticate } from '../access/auth.ts'
import { readBody } from '../body/body.ts'
import type { OwnRoute, RequestContext } from '../request-context.ts'
import { send } from '../response/send.ts'
import type { Budgets } from './budgets.ts'
import type { KeyBook } from './key-book.ts'

interface AdminOptions {
  readonly keyring: () => Keyring
  readonly now: () => number
  /** Undefined where no key is an admin's. */
  readonly book: () => KeyBook | undefined
  readonly budgets: () => Budgets | undefined
  readonly limits: () => Parameters<typeof readBody>[1]
}

const mostAudited = 1000

/** `/admin/keys`: keys are made, rotated, revoked and listed by a key that has `admin: true`. */
export function createAdmin({ keyring, now, book, budgets, limits }: AdminOptions): readonly OwnRoute[] {
  function asAdmin(context: RequestContext): { readonly by: string; readonly keys: KeyBook } {
    const { key } = authenticate(context.request.headers, keyring(), now)
    const keys = book()
    if (keys === undefined)
      throw new GatewayError('not_found', "Keys can't be made here: no key in the config file has `admin: true`.")
    if (key?.isAdmin !== true) throw new GatewayError('admin_only', 'This path needs a key that has `admin: true`.')
    return { by: key.name, keys }
  }

  const reply = (context: RequestContext, value: object, status = 200): void =>
    send(context, { status, body: JSON.stringify(value) })

  async function describe(settings: KeySettings) {
    const used = await budgets()?.used(settings)
    return { ...(used !== undefined && { used }) }
  }

  function nameIn(rest: string, end: string): string {
    const name = rest.endsWith(end) ? rest.slice(0, rest.length - end.length) : ''
    if (name === '' || name.includes('/')) throw new GatewayError('not_found', 'Nothing is served at this path.')
    return name
  }

  return [
    {
      method: 'GET',
      path: '/admin/keys',
      run: async (context) => {
        const all = await asAdmin(context).keys.list()
        const data = all.map(async ({ entry, settings }) => ({ ...entry, ...(await describe(settings)) }))
        reply(context, { data: await Promise.all(data) })
      },
    },
    {
      method: 'POST',
      path: '/admin/keys',
      run: async (context) => {
        const { by, keys } = asAdmin(context)
        const entry = await readBody(context.request, limits(), () => undefined)
        reply(context, await keys.make(entry, by), 201)
      },
    },
    {
      method: 'POST',
      path: '/admin/keys/',
      run: async (context, { rest }) => {
        const { by, keys } = asAdmin(context)
        reply(context, await keys.rotate(nameIn(rest, '/rotate'), by))
      },
    },
    {
      method: 'DELETE',
      path: '/admin/keys/',
      run: async (context, { rest }) => {
        const { by, keys } = asAdmin(context)
        const name = nameIn(rest, '')
        await keys.revoke(name, by)
        reply(context, { name, revoked: true })
      },
    },
    {
      method: 'GET',
      path: '/admin/audit',
      run: async (context) => reply(context, { data: await asAdmin(context).keys.audit(mostAudited) }),
    },
  ]
}
