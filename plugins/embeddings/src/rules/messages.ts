/** Messages to the model's process. After `end` it finishes the current vector and exits. */
export type Request = { readonly kind: 'embed'; readonly id: number; readonly text: string } | { readonly kind: 'end' }
export type Answer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'vector'; readonly id: number; readonly vector: Float32Array }
  | { readonly kind: 'failed'; readonly id: number; readonly error: string }

export interface ChildArguments {
  readonly library: string
  readonly models: string
}
