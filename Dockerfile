# One image for the web service and the worker. Without a GPU: --build-arg EXTRAS=cpu
FROM python:3.13-slim

ARG EXTRAS=cpu,cuda13
ENV PYTHONUNBUFFERED=1 PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1

WORKDIR /opt/roofladder
COPY pyproject.toml README.md LICENSE ./
COPY app ./app
COPY capsules ./capsules
# Editable, so that templates and kernel sources are read from where they lie.
RUN pip install -e ".[${EXTRAS}]"

RUN useradd --create-home --uid 10001 roofladder && mkdir /data && chown roofladder:roofladder /data
USER roofladder

ENV HOST=0.0.0.0 PORT=8020 ROOFLADDER_DATA_DIR=/data
VOLUME /data
EXPOSE 8020
HEALTHCHECK --interval=15s --timeout=10s --start-period=60s CMD ["roofladder", "serve", "--check"]
ENTRYPOINT ["roofladder"]
CMD ["serve"]
