#!/usr/bin/env node
import { main } from 'keystamp'

await main(process)
