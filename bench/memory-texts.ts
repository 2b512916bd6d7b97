/** Texts with word frequencies like a natural language: few words are common, most are rare. The same in every run. */
export class Texts {
  readonly #cumulated: Float64Array
  #state: number

  readonly #nameOf: (word: number) => string

  constructor(seed: number, vocabulary = 30_000, nameOf = (word: number): string => `w${word.toString(36)}q`) {
    this.#state = seed
    this.#nameOf = nameOf
    this.#cumulated = new Float64Array(vocabulary)
    let sum = 0
    for (let i = 0; i < vocabulary; i++) this.#cumulated[i] = sum += 1 / (i + 3)
  }

  random(): number {
    this.#state = (this.#state * 48_271) % 2_147_483_647
    return this.#state / 2_147_483_647
  }

  text(words: number): string {
    return Array.from({ length: words }, () => this.#word()).join(' ')
  }

  /** Returns words of a text for a question: the more specific ones. */
  question(text: string): string {
    const words = text.split(' ').sort((a, b) => b.length - a.length)
    return words.slice(0, 6).join(' ')
  }

  #word(): string {
    const at = this.random() * (this.#cumulated.at(-1) as number)
    let [low, high] = [0, this.#cumulated.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#cumulated[middle] as number) < at) low = middle + 1
      else high = middle
    }
    return this.#nameOf(low)
  }
}
