import { contribute } from '@gateway/sdk'
import { curatedConnector } from '../api.ts'
import { bundled } from '../rules/bundled.ts'

/** The connectors that come with the gateway. */
export const bundledConnectors = bundled.map((connector) => contribute(curatedConnector, { create: () => connector }))
