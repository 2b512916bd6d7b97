import { closed, Type } from '@gateway/sdk'

export const Issued = Type.Object(
  {
    url: Type.String({ description: 'URL for clone, fetch and push.' }),
    token: Type.String({ description: 'Password for git. Shown only once.' }),
  },
  closed,
)
export const owner = Type.String({ minLength: 1, maxLength: 64 })
