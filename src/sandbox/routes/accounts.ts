import type { FastifyInstance } from 'fastify'
import type { Service } from '../service.js'

export function accountReads(_app: FastifyInstance, _service: Service): void {}
