export { ApiError } from "./apiError.ts";
export { exchange, onApiError, queryClient, send, type SendOptions } from "./client.ts";
export { request, type Answer } from "./request.ts";
export { callOptions, keyOf, refetch, useCall, type CallOptions } from "./useCall.ts";
