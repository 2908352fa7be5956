import { suppliers } from "@metrum/contract/access";
import { Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { lazily } from "#lib/load";
import { useAllowed } from "#lib/session";
import { Button } from "#ui/button";
import { ListView, useList } from "#ui/list";
import { SupplierCard } from "./SupplierCard.tsx";
import { supplierList } from "./supplierList.tsx";
import { useChosen, type Chosen } from "./directories.ts";
import { DirectoryPage } from "./DirectoryPage.tsx";
import { isPermitted } from "./permitted.ts";

const SupplierDialog = lazily(async () => ({
  default: (await import("./SupplierDialog.tsx")).SupplierDialog,
}));

/** Suppliers of the company, and the card of one. */
export function SuppliersPage() {
  const chosen = useChosen();
  return (
    <DirectoryPage
      kind="suppliers"
      chosen={chosen}
      list={<SupplierList chosen={chosen} />}
      card={(id) => <SupplierCard key={id} id={id} onRemoved={() => chosen.choose(null)} />}
    />
  );
}

function SupplierList({ chosen }: { readonly chosen: Chosen }) {
  const { t } = useTranslation("directories");
  const mayCreate = useAllowed("6:create");
  const [isAdding, setAdding] = useState(false);
  const list = useList(supplierList, { current: chosen.id, choose: chosen.choose });
  return (
    <>
      <ListView
        list={list}
        tools={
          mayCreate ? (
            <Button
              kind="primary"
              icon="plus"
              onClick={() => {
                if (isPermitted(suppliers.create)) setAdding(true);
              }}
            >
              {t("add")}
            </Button>
          ) : null
        }
      />
      {isAdding ? (
        <Suspense>
          <SupplierDialog supplier={null} onClose={() => setAdding(false)} onSaved={chosen.choose} />
        </Suspense>
      ) : null}
    </>
  );
}
