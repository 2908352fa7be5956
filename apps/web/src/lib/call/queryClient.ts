import { QueryCache, QueryClient } from "@tanstack/react-query";
import { onSessionEnd, onSessionStart } from "#lib/token";
import { isUnreached } from "./apiError.ts";
import { forgetReferences } from "./reference.ts";
import { reportUnless } from "./send.ts";

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => reportUnless(query.meta?.["isQuiet"] === true, error),
  }),
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      refetchOnWindowFocus: false,
      retry: (failures, error) => failures < 1 && isUnreached(error),
      retryDelay: 1000,
    },
  },
});

// Answers belong to the session. The shell clears them when it unmounts; not earlier, or it would request
// them again while leaving.
onSessionStart(() => queryClient.clear());
onSessionEnd(forgetReferences);
