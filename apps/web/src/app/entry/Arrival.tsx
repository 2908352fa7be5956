import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "#ui/button";
import { Dialog } from "#ui/dialog";
import { answerNews } from "./answerNews.ts";
import { endArrival, type Greeting } from "./arrival.ts";
import { expiryWords } from "../frame/Strips.tsx";

interface Props {
  readonly greetings: readonly Greeting[];
  readonly daysLeft: number | null;
  readonly build: "cloud" | "server";
}

/** Dialogs after signing in, one after the other. */
export function Arrival({ greetings, ...expiry }: Props) {
  const [at, setAt] = useState(0);
  const next = () => {
    if (at + 1 >= greetings.length) endArrival();
    setAt(at + 1);
  };
  switch (greetings[at]) {
    case "newsletter":
      return <Newsletter onDone={next} />;
    case "expiry":
      return <Expiry {...expiry} onDone={next} />;
    case undefined:
      return null;
  }
}

/** It cannot be dismissed: only yes or no is an answer. */
function Newsletter({ onDone }: { readonly onDone: () => void }) {
  const { t } = useTranslation("shell");
  const [isBusy, setBusy] = useState(false);
  const answer = async (subscribe: boolean) => {
    setBusy(true);
    await answerNews(subscribe);
    onDone();
  };
  return (
    <Dialog
      title={t("newsletter.title")}
      actions={
        <>
          <Button disabled={isBusy} onClick={() => void answer(false)}>
            {t("newsletter.no")}
          </Button>
          <Button kind="primary" isBusy={isBusy} disabled={isBusy} onClick={() => void answer(true)}>
            {t("newsletter.yes")}
          </Button>
        </>
      }
    >
      <p>{t("newsletter.text")}</p>
    </Dialog>
  );
}

function Expiry(props: Pick<Props, "daysLeft" | "build"> & { readonly onDone: () => void }) {
  const { t } = useTranslation("shell");
  const { t: message } = useTranslation("messages");
  const { daysLeft, build, onDone } = props;
  const isLicence = build === "server" && daysLeft !== null && daysLeft > 0;
  const about = daysLeft !== null && daysLeft < 0 ? (`${build}Ended` as const) : build;
  return (
    <Dialog
      title={t(`expiry.${about}`)}
      role="alertdialog"
      onClose={onDone}
      actions={
        <Button kind="primary" data-autofocus="" onClick={onDone}>
          {t("common:ok")}
        </Button>
      }
    >
      <p>{isLicence ? message("msg_3", { count: daysLeft }) : expiryWords(t, daysLeft)}</p>
      <p className="dialog-hint">{t(`expiry.${about}Next`)}</p>
    </Dialog>
  );
}
