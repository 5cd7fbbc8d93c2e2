"""One file a chart: from domain values to a Plotly figure."""
