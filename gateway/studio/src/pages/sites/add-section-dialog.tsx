import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ApiError, codeOf } from '../../api/errors.ts';
import { addSection, type SectionTypeBrief, type SitePage, sectionTypeQuery } from '../../api/pages.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Form } from '../../components/form.tsx';
import { FormActions } from '../../components/form-actions.tsx';
import { Problem } from '../../components/problem.tsx';
import { plainText } from '../../components/quoted-parts.ts';
import { Select } from '../../components/select.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { sections } from '../../texts/pages.ts';
import { Fields } from './field-group.tsx';
import { summaryOf } from './section-summary.ts';
import { useRequestId } from './use-request-id.ts';

const texts = sections.add;
const atEnd = 'end';

type AddSectionDialogProps = {
  site: string;
  page: SitePage;
  types: readonly SectionTypeBrief[];
  nameOf: (type: string) => string;
  onClose: () => void;
};

/** Puts a section of a type that is chosen first into a page. */
export function AddSectionDialog({ site, page, types, nameOf, onClose }: AddSectionDialogProps) {
  const client = useQueryClient();
  const [type, setType] = useState(types[0]?.name ?? '');
  const [props, setProps] = useState<Record<string, unknown>>({});
  const [before, setBefore] = useState(atEnd);
  const { data: chosen, error } = useQuery(sectionTypeQuery(site, type));
  const requestId = useRequestId();
  const unanswered = useRef<typeof props>(undefined);
  const places = page.sections.map((section, index) => {
    const words = plainText(summaryOf(section.props).words).slice(0, 60);
    return { value: section.id, label: texts.before(index + 1, words || nameOf(section.type)) };
  });
  return (
    <Dialog title={texts.title} isOpen isDecision isWide onClose={onClose}>
      <Form
        onSend={async () => {
          const position = before === atEnd ? {} : { before };
          try {
            await addSection({ site, page: page.id, rev: page.rev }, { type, props, position }, { requestId });
          } catch (error) {
            const code = codeOf(error);
            if (code === 'offline') unanswered.current ??= props;
            if (code !== 'idempotency_conflict') throw error;
            // A try before went through, at another rev, and its answer was lost.
            if (unanswered.current !== props) throw new ApiError(409, { code, ...texts.there });
          } finally {
            await client.invalidateQueries({ queryKey: ['sites', site] });
          }
          onClose();
        }}
      >
        {({ isSending }) => (
          <>
            <Select
              label={texts.type}
              value={type}
              onChange={(next) => {
                setType(next);
                setProps({});
              }}
              options={types.map(({ name, title, description }) => ({ value: name, label: title, hint: description }))}
            />
            {places.length > 0 && (
              <Select
                label={texts.where}
                value={before}
                onChange={setBefore}
                options={[{ value: atEnd, label: texts.end }, ...places]}
              />
            )}
            {error && <Problem error={error} />}
            {!chosen && !error && <Skeleton rows={2} />}
            {chosen && <Fields key={type} schema={chosen.schema} value={props} onChange={setProps} />}
            <FormActions isSending={isSending} isDisabled={!chosen} onCancel={onClose}>
              {texts.make}
            </FormActions>
          </>
        )}
      </Form>
    </Dialog>
  );
}
