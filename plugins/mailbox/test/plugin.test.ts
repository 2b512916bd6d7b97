import { pluginSuite } from '@gateway/testing'
import mailbox from '../src/index.ts'

pluginSuite(mailbox, { folder: import.meta.dirname })
