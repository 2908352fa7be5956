import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import type { ApiError } from "#lib/call";

/** The session has ended, or lacks the right. */
export const isRefusal = (error: ApiError | null): boolean => error?.status === 401 || error?.status === 403;

/** Redirects to the no-access page as soon as an admin call is refused. */
export function useRefused(error: ApiError | null): void {
  const navigate = useNavigate();
  const isRefused = isRefusal(error);
  useEffect(() => {
    if (isRefused) void navigate({ to: "/withoutAccess", replace: true });
  }, [isRefused, navigate]);
}
