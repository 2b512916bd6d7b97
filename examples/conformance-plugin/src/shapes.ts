import { type ContentBlock, closed, Type, withContent } from '@gateway/sdk'

/** The input of a tool that takes no arguments. */
export const nothing = Type.Object({}, closed)

/** The output of a tool whose content is the whole result. */
export const shown = Type.Object({})

export const show = (...content: ContentBlock[]) => withContent({}, content)
export const say = (text: string) => show({ type: 'text', text })
