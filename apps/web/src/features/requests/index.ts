import { lazy } from "react";

export { canRequest, type RequestedDevice, type RequestKind, type SimpleRequest } from "./offered.ts";

/** Everything that is needed for a request is loaded with the first one. */
export const loadRequests = () => import("./requests.ts");
export const ArchiveDialog = lazy(async () => ({
  default: (await import("./ArchiveDialog.tsx")).ArchiveDialog,
}));
export const BulkArchiveDialog = lazy(async () => ({
  default: (await import("./BulkArchiveDialog.tsx")).BulkArchiveDialog,
}));
export const JournalDialog = lazy(async () => ({
  default: (await import("./JournalDialog.tsx")).JournalDialog,
}));
export const ProfileDialog = lazy(async () => ({
  default: (await import("./ProfileDialog.tsx")).ProfileDialog,
}));
export const OpenRequests = lazy(async () => ({
  default: (await import("./OpenRequests.tsx")).OpenRequests,
}));
