export { ApiError, asksForCode, isUnreached, reasonOf } from "./apiError.ts";
export { ignoreFailure } from "./ignoreFailure.ts";
export { queryClient } from "./queryClient.ts";
export { receive } from "./receive.ts";
export { request, type Answer } from "./request.ts";
export { exchange, onApiError, reportUnless, send, type SendOptions } from "./send.ts";
export { callOptions, keyOf, refetch, useCall, type CallOptions } from "./useCall.ts";
