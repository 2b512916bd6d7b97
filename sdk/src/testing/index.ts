export { type TestClock, testClock } from './clock.ts'
export { type CallOptions, type InjectResponse, type TestGateway, type TestGatewayOptions, startTestGateway } from './gateway.ts'
