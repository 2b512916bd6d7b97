await new Promise(() => setInterval(() => {}, 60_000).unref())
export default {}
