/** English words without meaning for a search. They are indexed, and left out of a question that has others. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about above after again all also am an and any are as at be because been before being below between both but by can could did do
  does doing don down during each either else ever few for from further get gets getting give go goes going got had has have having he
  her here hers herself him himself his how i if in into is it its itself just kind let like many may me might more most much must my
  myself no nor not now of off on once only or other our ours ourselves out over own please same shall she should so some such tell than
  that the their theirs them themselves then there these they this those through to too under until up us very want was we were what when
  where which while who whom whose why will with would you your yours yourself yourselves s t d ll m re ve`.split(/\s+/),
)
