import { type Capability, closed, defineTool, type Effect, Type, toolbox, withContent } from '@gateway/sdk'
import { WrongEffect } from '../errors.ts'

/**
 * Defines a tool that calls the tools of one effect. Each effect has its own, because a host decides by the hints of the visible
 * tool whether to ask its user: behind a single one, a deletion would look like a look-up.
 */
export function callByEffect(effect: Effect, capability: Capability, description: string) {
  return defineTool({
    name: nameFor(effect),
    description,
    capability,
    effect,
    // The called tool may have effects outside.
    openWorld: true,
    listing: 'core-only',
    forwardsTo: 'tool',
    input: Type.Object(
      {
        tool: Type.String({ minLength: 1, maxLength: 64 }),
        arguments: Type.Optional(Type.Object({}, { additionalProperties: true, description: 'Arguments, by its input schema.' })),
      },
      closed,
    ),
    output: Type.Object({}, { description: 'Result of the called tool.' }),
    errors: [WrongEffect],
    uses: { toolbox },
    async handle({ tool, arguments: args = {} }, { toolbox }) {
      const info = await toolbox.find(tool)
      if (info && info.effect !== effect) throw WrongEffect({ tool, effect: info.effect, callWith: nameFor(info.effect) })
      // A tool the caller does not see is refused by the call itself, as it would be outside of this tool.
      const { result, content } = await toolbox.call(tool, args)
      return content ? withContent(result, content) : result
    },
  })
}

const nameFor = (effect: Effect): string => `tools_call_${effect}`
