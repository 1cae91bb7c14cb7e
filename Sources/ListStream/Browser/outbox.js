// The address at which pages import what they throw to have a mutation taken back.

export { Refusal } from './network/outbox.js';
