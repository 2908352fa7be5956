import { QueryClientProvider } from "@tanstack/react-query";
import { queryClient } from "#lib/call";
import { PlatformAdminPage } from "../features/platform-admin/PlatformAdminPage.tsx";
import { AdminBar } from "./AdminBar.tsx";

/** The page of the platform with its bar, for who is signed in. */
export function AdminPage() {
  return (
    <QueryClientProvider client={queryClient}>
      <div className="admin">
        <AdminBar />
        <main>
          <PlatformAdminPage />
        </main>
      </div>
    </QueryClientProvider>
  );
}
