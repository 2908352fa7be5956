import type { ErrorComponentProps } from "@tanstack/react-router";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "#lib/call";
import { BrandMark } from "#ui/brand";
import { CrashNote, ErrorState } from "#ui/states";

/** A screen whose code or texts could not be fetched, or that crashed as a whole; or the server was not there to ask. */
export function RouteFailed({ error }: ErrorComponentProps) {
  const { t } = useTranslation("common");
  return (
    <main className="alone">
      <BrandMark size={32} />
      {error instanceof ApiError && error.status === 0 ? (
        <Unreached />
      ) : (
        <CrashNote title={t("crash.title")} error={error} />
      )}
    </main>
  );
}

/** The session is kept: as soon as somebody answers, the page goes on. */
function Unreached() {
  const { t } = useTranslation("common");
  useEffect(() => {
    const again = () => location.reload();
    addEventListener("online", again);
    return () => removeEventListener("online", again);
  }, []);
  return <ErrorState title={t("crash.offline")} onRetry={() => location.reload()} />;
}
