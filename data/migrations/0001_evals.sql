-- Imports, eval results, published scores, pins and decisions.
-- No primary key or unique index on tables that take many rows: maintaining one triples the cost of an import.

CREATE TABLE store_meta (
    schema_version INTEGER NOT NULL,
    revision BIGINT NOT NULL
);
INSERT INTO store_meta VALUES (1, 0);

-- One row per file ever committed; undone imports keep theirs, so that a number is never given twice.
CREATE TABLE import_batch (
    batch BIGINT NOT NULL,
    kind VARCHAR NOT NULL,
    format VARCHAR NOT NULL,
    producer VARCHAR NOT NULL,
    file VARCHAR NOT NULL,
    sha256 VARCHAR NOT NULL,
    size_bytes BIGINT NOT NULL,
    mapping VARCHAR NOT NULL,              -- canonical JSON
    rows_read BIGINT NOT NULL,
    rows_loaded BIGINT NOT NULL,
    rows_rejected BIGINT NOT NULL,
    rows_duplicate BIGINT NOT NULL,
    rows_superseded BIGINT NOT NULL,       -- rows of earlier imports that this one took the place of
    reasons VARCHAR NOT NULL,              -- JSON object: reason -> rows
    warnings VARCHAR NOT NULL,             -- JSON list
    run_identifies BOOLEAN NOT NULL,       -- a run value names one record of the whole file
    imported_at TIMESTAMPTZ NOT NULL,
    undone_at TIMESTAMPTZ
);

CREATE TABLE rejected_row (
    batch BIGINT NOT NULL,
    record_number BIGINT NOT NULL,
    reason VARCHAR NOT NULL,
    column_name VARCHAR,
    value VARCHAR,
    expected VARCHAR,
    raw VARCHAR
);

CREATE TABLE remembered_mapping (
    header VARCHAR NOT NULL,               -- JSON list of the file's headers, sorted
    kind VARCHAR NOT NULL,
    mapping VARCHAR NOT NULL,              -- canonical JSON
    remembered_at TIMESTAMPTZ NOT NULL
);

CREATE TABLE eval_result (
    batch BIGINT NOT NULL,
    record_number BIGINT NOT NULL,
    benchmark VARCHAR NOT NULL,
    split VARCHAR,
    domain VARCHAR,
    task_id VARCHAR NOT NULL,
    cluster_id VARCHAR,
    model VARCHAR NOT NULL,
    variant VARCHAR NOT NULL,              -- '' where the file names none
    settings_key VARCHAR NOT NULL,         -- '' where the file says nothing about settings
    run VARCHAR NOT NULL,
    run_given BOOLEAN NOT NULL,            -- false: numbered by the import, and means nothing to another file
    metric VARCHAR NOT NULL,               -- '' where the file names none
    headline BOOLEAN NOT NULL,             -- the metric that counts unless another is asked for
    score DOUBLE,                          -- 0..1; unscored rows have none
    passed BOOLEAN,
    status VARCHAR,
    status_ok BOOLEAN NOT NULL,
    turns BIGINT,
    input_tokens_uncached BIGINT,
    cache_read_tokens BIGINT,
    cache_write_5m_tokens BIGINT,
    cache_write_1h_tokens BIGINT,
    output_tokens BIGINT,
    reasoning_tokens BIGINT,
    cost DECIMAL(24, 12),
    currency VARCHAR,
    latency_ms DOUBLE,
    started_at TIMESTAMPTZ,
    weight DOUBLE,
    provider VARCHAR,
    tier VARCHAR,
    url VARCHAR
);

-- Which contenders a batch holds, so that most questions about batches never read results.
CREATE TABLE eval_batch_contender (
    batch BIGINT NOT NULL,
    benchmark VARCHAR NOT NULL,
    model VARCHAR NOT NULL,
    variant VARCHAR NOT NULL,
    settings_key VARCHAR NOT NULL,
    rows BIGINT NOT NULL,
    rows_with_run BIGINT NOT NULL
);

CREATE TABLE eval_settings (
    settings_key VARCHAR NOT NULL,
    settings VARCHAR NOT NULL              -- JSON object: solver, prompt, arguments, task version
);

CREATE TABLE variant_label (
    benchmark VARCHAR NOT NULL,
    model VARCHAR NOT NULL,
    variant VARCHAR NOT NULL,
    settings_key VARCHAR NOT NULL,
    label VARCHAR NOT NULL
);

CREATE TABLE published_score (
    batch BIGINT NOT NULL,
    record_number BIGINT NOT NULL,
    benchmark VARCHAR NOT NULL,
    model VARCHAR NOT NULL,
    metric VARCHAR NOT NULL,               -- '' where the file names none
    score DOUBLE NOT NULL,                 -- 0..1
    n_tasks BIGINT,
    stderr DOUBLE,
    date DATE,
    provider VARCHAR,
    url VARCHAR
);

-- A stored row that a later import holds again. One entry a row, whichever later batch it names.
CREATE TABLE record_overlap (
    batch BIGINT NOT NULL,
    record_number BIGINT NOT NULL,
    upper_batch BIGINT NOT NULL
);

-- Everything batch holds of one contender, replaced as a whole by upper_batch.
CREATE TABLE contender_replacement (
    batch BIGINT NOT NULL,
    benchmark VARCHAR NOT NULL,
    model VARCHAR NOT NULL,
    variant VARCHAR NOT NULL,
    settings_key VARCHAR NOT NULL,
    upper_batch BIGINT NOT NULL
);

CREATE TABLE evidence (
    id VARCHAR NOT NULL,
    body VARCHAR NOT NULL,                 -- canonical JSON
    saved_at TIMESTAMPTZ NOT NULL
);

CREATE TABLE decision (
    id VARCHAR NOT NULL,
    body VARCHAR NOT NULL,                 -- canonical JSON
    saved_at TIMESTAMPTZ NOT NULL
);

-- What counts: each record once, the latest import winning. Free of cost while nothing overlaps.
CREATE VIEW eval_live AS
SELECT result.*
FROM eval_result AS result
ANTI JOIN record_overlap AS covered USING (batch, record_number)
ANTI JOIN contender_replacement AS replaced USING (batch, benchmark, model, variant, settings_key);

CREATE VIEW published_live AS
SELECT score.*
FROM published_score AS score
ANTI JOIN record_overlap AS covered USING (batch, record_number);
