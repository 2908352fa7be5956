export {
  call,
  pathOf,
  type Call,
  type Calls,
  type InputOf,
  type Method,
  type ParsedOf,
  type ReplyOf,
} from "./core/call.ts";
export { allows, parseRule, type Access, type Rule } from "./core/rights.ts";
export { Id, IdText, Nothing, paged, pageSizes, Seconds, ShortText } from "./core/values.ts";
export { messages, type MessageCode } from "./messages.ts";
export { Problem, problem, problems, type ProblemCode, type ProblemInput } from "./problems.ts";
