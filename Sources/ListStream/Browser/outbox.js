// Pages import `Refusal` from here, which they throw to have a mutation taken back.

export { Refusal } from './network/outbox.js';
