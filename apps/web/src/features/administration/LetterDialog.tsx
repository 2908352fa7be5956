import { administration } from "@metrum/contract/platform";
import { useTranslation } from "react-i18next";
import { reasonOf, useCall } from "#lib/call";
import { Button } from "#ui/button";
import { Dialog } from "#ui/dialog";
import { Skeleton } from "#ui/skeleton";
import { ErrorState } from "#ui/states";

/** Content of a letter. Opening it is recorded in the audit log. */
export function LetterDialog({ id, onClose }: { readonly id: number; readonly onClose: () => void }) {
  const { t } = useTranslation(["administration", "common"]);
  const input = { params: { id: String(id) } };
  const { data, error, refetch } = useCall(administration.letter, input, {
    isQuiet: true,
    freshMs: Number.POSITIVE_INFINITY,
  });
  return (
    <Dialog
      title={data?.subject ?? t("letter.title")}
      size={618}
      onClose={onClose}
      actions={
        <Button kind="primary" onClick={onClose}>
          {t("letter.close")}
        </Button>
      }
    >
      {error ? (
        <ErrorState title={t("letter.failed")} message={reasonOf(error)} onRetry={() => void refetch()} />
      ) : data ? (
        <>
          <p className="administration-quiet">{data.to}</p>
          <pre className="administration-letter" tabIndex={0}>
            {data.text}
          </pre>
        </>
      ) : (
        <Skeleton height={160} />
      )}
    </Dialog>
  );
}
