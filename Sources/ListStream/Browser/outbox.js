// The address at which pages import what they throw to have an act taken back.

export { Refusal } from './network/outbox.js';
