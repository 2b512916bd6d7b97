import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isToolError } from '@gateway/sdk'
import { faultOf } from '../src/rules/check.ts'
import { MAX_STEPS, Steps } from '../src/rules/json.ts'
import { schemaFault } from '../src/rules/tool-schema.ts'
import { HOSTILE_CALLS, HOSTILE_SCHEMAS } from './hostile.ts'

/** Counts work instead of timing it: every access to a value, and every listed name. */
class Looks {
  count = 0
  readonly #seen = new WeakMap<object, object>()

  at<T>(value: T): T {
    if (typeof value !== 'object' || value === null) return value
    let watched = this.#seen.get(value)
    if (!watched) this.#seen.set(value, (watched = new Proxy(value, this.#traps)))
    return watched as T
  }

  readonly #traps: ProxyHandler<object> = {
    get: (target, name) => {
      this.count++
      return this.at(Reflect.get(target, name))
    },
    has: (target, name) => {
      this.count++
      return Reflect.has(target, name)
    },
    ownKeys: (target) => {
      const names = Reflect.ownKeys(target)
      this.count += names.length
      return names
    },
    getOwnPropertyDescriptor: (target, name) => {
      this.count++
      return Reflect.getOwnPropertyDescriptor(target, name)
    },
  }
}

/** A step is one keyword looked up and applied: a handful of accesses of some ten nanoseconds each. */
const LOOKS_PER_STEP = 8
const ROOM = 65_536

for (const [what, { schema, args }] of Object.entries(HOSTILE_CALLS)) {
  test(`a call is checked in bounded work: ${what}`, () => {
    assert.equal(schemaFault(schema, ROOM), undefined)
    const looks = new Looks()
    try {
      faultOf(looks.at(schema), looks.at(structuredClone(args) as Record<string, unknown>), new Steps(), ROOM)
    } catch (error) {
      assert.ok(isToolError(error) && error.code === 'BAD_REQUEST', String(error))
    }
    assert.ok(looks.count <= MAX_STEPS * LOOKS_PER_STEP, `${looks.count} looks`)
  })
}

test('what defaults add to the arguments is bounded, and told', () => {
  const { schema, args } = HOSTILE_CALLS['a long text as the default of each of many items'] as (typeof HOSTILE_CALLS)[string]
  const given = structuredClone(args) as { a: { d?: string }[] }
  assert.throws(() => faultOf(schema, given, new Steps(), ROOM), /too large once its defaults are filled in/)
  assert.equal(given.a.filter(({ d }) => d !== undefined).length, Math.floor(ROOM / 15_003))
})

/** The work of listing the names of the largest object, plus what the bounds allow. */
const MOST_LOOKS = 200_000

for (const [what, schema] of Object.entries(HOSTILE_SCHEMAS)) {
  test(`a registration is refused in bounded work: a schema ${what}`, () => {
    const looks = new Looks()
    assert.ok(schemaFault(looks.at(schema), ROOM))
    assert.ok(looks.count <= MOST_LOOKS, `${looks.count} looks`)
  })
}
