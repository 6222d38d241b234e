import { Route, Routes } from 'react-router';
import { EditKey } from './edit-key.tsx';
import { KeyList } from './key-list.tsx';
import { KeyPage } from './key-page.tsx';
import { NewKeyPage } from './new-key.tsx';

export default function AgentsPage() {
  return (
    <Routes>
      <Route index element={<KeyList />} />
      <Route path="new" element={<NewKeyPage />} />
      <Route path=":id" element={<KeyPage />} />
      <Route path=":id/change" element={<EditKey />} />
    </Routes>
  );
}
