import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "#ui/button";

interface Props {
  /** Further buttons. */
  readonly actions: ReactNode;
  /** Takes over what the device has; absent: it was not read. */
  readonly onTake: (() => void) | undefined;
  /** The verb of the button that submits the form. */
  readonly action: string;
  readonly isBusy: boolean;
  /** Nothing on the card can be changed. */
  readonly isDisabled: boolean;
  /** The form has nothing to save yet. */
  readonly isEmpty: boolean;
}

/** The buttons of a card with a schedule. */
export function CardFoot({ actions, onTake, action, isBusy, isDisabled, isEmpty }: Props) {
  const { t } = useTranslation("control");
  return (
    <div className="control-foot">
      {actions}
      {onTake ? (
        <Button disabled={isDisabled} onClick={onTake}>
          {t("takePresent")}
        </Button>
      ) : null}
      <Button type="submit" kind="primary" isBusy={isBusy} disabled={isDisabled || isBusy || isEmpty}>
        {action}
      </Button>
    </div>
  );
}
